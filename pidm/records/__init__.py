"""Records of boards: PBN and LIN."""
