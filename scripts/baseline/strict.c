/* The strict search as one would first write it: lists by colour above and colour to the left, scanned past the
 * pieces in use. The yardstick for the compiled kernel; both must make the same nodes.
 *
 * Row-major boards. List `list[k]` belongs to the cell of depth k; its words for colours (up, left) lie from
 * start[list[k] + (up << bits) + left] to the next start. check[k] and check[k + depths] are the colours that pins to
 * the right and below ask for, or -1.
 */
long strict_scan(int depths, int bits, long limit, const int *cell, const int *up, const int *left, const int *list,
                 const int *start, const int *piece, const int *right, const int *down, const int *check,
                 int *showing_right, int *showing_down, char *used, int *deepest)
{
    int at[4096], end[4096], k = 0, fresh = 1;
    long nodes = 0;
    while (nodes < limit) {
        if (fresh) {
            int key = list[k] + (showing_down[up[k]] << bits) + showing_right[left[k]];
            at[k] = start[key];
            end[k] = start[key + 1];
        } else {
            used[piece[at[k]]] = 0;
            at[k]++;
        }
        while (at[k] < end[k]) {
            int word = at[k];
            if (!used[piece[word]]) {
                int fits = 1;
                if (check[k] >= 0 && right[word] != check[k]) fits = 0;
                if (check[k + depths] >= 0 && down[word] != check[k + depths]) fits = 0;
                if (fits) break;
            }
            at[k]++;
        }
        if (at[k] == end[k]) {
            if (k == 0) break;
            k--;
            fresh = 0;
            continue;
        }
        nodes++;
        used[piece[at[k]]] = 1;
        showing_right[cell[k]] = right[at[k]];
        showing_down[cell[k]] = down[at[k]];
        if (k + 1 > *deepest) *deepest = k + 1;
        if (k + 1 == depths) {
            fresh = 0;
            continue;
        }
        k++;
        fresh = 1;
    }
    return nodes;
}
