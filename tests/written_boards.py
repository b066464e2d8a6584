"""Boards as PBN and LIN files write them, for the tests of records."""

import io

from pidm import Deal
from pidm.records.boards import loads

NORTH, EAST, SOUTH, WEST = "AQJ93.AKJ6.J65.2 K82.QT3.AQ4.KJ76 T76.987.KT87.A98 54.542.932.QT543".split()
DEAL = Deal.from_str(f"N:{NORTH} {EAST} {SOUTH} {WEST}")

PBN = f"""% PBN 2.1
% EXPORT
[Event "Club \\"Four Aces\\""]
[North "Ann"]
[Board "1"]
[Dealer "N"]
[Vulnerable "NS"]
[Deal "N:{NORTH} {EAST} {SOUTH} {WEST}"]
[Declarer "N"]
[Contract "2S"]
[Result "9"]
{{ a remark that goes
over two lines }}
[Auction "N"]
1S =1= Pass 2S ! =2= AP
[Note "1:five cards"]
[Note "2:six to nine"]
[Play "E"]
D4 D7 D2 D5 =1=
H3 H8 H5 HA
-  -  H4 HK
*
[Note "1:a note of the play"]
[OptimumResultTable "Declarer;Denomination\\\\2R;Result\\\\2R"]
N NT 7
N  S 10
"""


def one(text, form="pbn"):
    found = loads(text, form)
    assert not found.errors
    assert len(found.boards) == 1
    return found.boards[0]


def by_endplay(text, form="pbn"):
    from endplay.parsers import lin, pbn

    (theirs,) = {"pbn": pbn, "lin": lin}[form].load(io.StringIO(text))
    return theirs


LIN = (
    "pn|Sue,Will,Ann,Ed|st||md|3ST76H987DKT87CA98,S54H542D932CQT543,SAQJ93HAKJ6DJ65C2,|rh||ah|Board 1|sv|n|"
    "mb|1S|mb|p|mb|2S!|an|six to nine !S|mb|p|mb|4s|mb|d!|mb|p|mb|p|mb|p|nt|nice|pg||"
    "pc|D4|pc|D7|pc|D2|pc|D5|pg||mc|10|\n"
)
