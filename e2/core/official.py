"""The official Eternity II set and its five hints, so that a board can be judged without any file at hand.

The order is the sorted list of the smallest turns, which is also the published numbering less one: corners 0-3, frame
pieces 4-59, inner pieces 60-255. Colours 1-5 stand on the frame only, 6-22 inside.
"""

from __future__ import annotations

from functools import cache

from e2.core.instance import Hint, Instance
from e2.core.pieces import PieceSet

_LETTERS = (
    "aabdaabeaacdaadcabgbabhcabjbabjfabmdaboeabpcabteabtfabveachbacidackfacnfacocacpcacqeacrbacrfacsb"
    "acvbadgcadgdadhdadidadofadpcadsdadtcadteadufadweaeibaelfaemfaencaendaepbaepcaepdaeqbaeseaeteaeue"
    "afgfafhbafhcafjbafoeafqeafqfaftdafubafufafvcafwdggjiggkoghhlgigtgiiwgikkgimhgisjgiwtglloglorgmki"
    "gmpqgmspgmtlgnkpgnnpgolugoslgouvgpnigqiigqmqgringrjkgrtrgrusgsgvgsjwgsqugtmrgtnpgtnqgtqvgtrkgvvl"
    "gwqngwstgwvjgwwvhhrphhruhhunhhwjhiqphjlthjnthjqphjumhkprhkrphlsnhlsuhmkqhmorhmrmhmwuhnlvhourhptw"
    "hqkwhsjuhsknhssphtrwhtvphukjhunvhuqlhusthvjshvrkhwkuhwmqhwqlhwusiisoijjlijjmijjrijnvijpjijurijvv"
    "iklqiliriliwillkilprinjminqwiommiomniowuiqooiqoriqwoisouistjitvviujsiuksiwpmiwqujklqjkqtjmlljnmp"
    "jnnvjoqtjosujovmjpppjprsjqovjronjskqjtrujttpjuoujvmujvomkkntklwokmnrkmttknvokokvkolnkounkpllkpps"
    "kqmokrvmkrvwkrwpksmwksntksssktnlkuvtkuwokvrnkvrtkvulkvwvllwolmnwlmtplomnlouplplulqttlrlslrqwlrwv"
    "lsnpluqrlvmqlwmulwvvlwvwmmrwmmsommupmonpmorrmqntmsowmsutmtrsmtrvnnnsnouqnqoqnqosnqrpnrqunspwnsvp"
    "ntovntqvoppropstoqwsovuwppvwpqrqprqvpsuvqqwtqrtrrtussuvuswuwtwvw"
)

MANDATORY_HINT = Hint(135, 138, 0)
OFFICIAL_HINTS = (Hint(34, 207, 1), Hint(45, 254, 1), MANDATORY_HINT, Hint(210, 180, 1), Hint(221, 248, 2))


@cache
def official_pieces() -> PieceSet:
    """The 256 pieces, 22 colours."""
    colours = [ord(letter) - ord("a") for letter in _LETTERS]
    quads = zip(colours[0::4], colours[1::4], colours[2::4], colours[3::4], strict=True)
    return PieceSet(tuple(quads))


@cache
def official_instance() -> Instance:
    """The puzzle with all five hints."""
    return Instance.checked("eternity2", 16, 16, official_pieces(), OFFICIAL_HINTS)
