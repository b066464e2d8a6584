"""StateActions as figure 5 of the paper has it, node by node: what `FlatNet` is held against."""

from pidm.core.box import Box
from pidm.core.choices import Proposal
from pidm.core.net import DecisionNet, Node


def state_actions(net: DecisionNet, partial: Box) -> tuple[Proposal, ...]:
    """What is plausible for all we know about a state, in preference order.

    A node counts when the partial state is contained in its box: knowing less gives more general answers.
    """
    taken = {p.action for p in net.prohibitions if partial <= p.box}
    found: dict[int, tuple[int, Proposal]] = {}

    def visit(node: Node) -> bool:
        if not partial <= node.box:
            return False
        # Summed, not any(): every link must be followed, not only the first that leads to an action.
        if sum(visit(child) for child in node.children) or sum(visit(other) for other in node.elses):
            return True
        mine = [proposal for proposal in node.proposals if proposal.action not in taken]
        found.update((id(proposal), (len(node.box), proposal)) for proposal in mine)
        return bool(mine)

    visit(net.root)
    return tuple(p for _, p in sorted(found.values(), key=lambda pair: (-pair[0], pair[1].position)))
