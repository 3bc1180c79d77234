"""A cluster of several raylets in one process of its own: `python raylets.py`, told by lines on standard input.

`join JSON` adds a node with these environment variables and answers with the process id of its raylet; `kill` ends the
newest node and its workers. The first line it prints is the cluster's address. It ends with its standard input.
"""

import json
import os
import signal
import subprocess
import sys

from ray.cluster_utils import Cluster


def main():
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes = []
    say(cluster.address)
    for line in sys.stdin:
        word, _, rest = line.partition(" ")
        if word == "join":
            nodes.append(cluster.add_node(num_cpus=1, env_vars=json.loads(rest)))
            cluster.wait_for_nodes(timeout=60)  # also for the end of one that was killed
            say(raylet_of(nodes[-1]))
        else:
            below = subprocess.run(["pgrep", "-P", str(raylet_of(nodes[-1]))], capture_output=True, text=True).stdout
            for worker in below.split():
                os.kill(int(worker), signal.SIGKILL)
            cluster.remove_node(nodes.pop(), allow_graceful=False)
            say("killed")
    cluster.shutdown()


def raylet_of(node):
    return node.all_processes["raylet"][0].process.pid


def say(answer):
    print(answer, flush=True)


if __name__ == "__main__":
    main()
