"""How does evidence come about? Checks that run and are signed, reviews, waivers and withdrawals."""
