"""What every game must keep: one suite, run on every game there is and on the toy game."""
