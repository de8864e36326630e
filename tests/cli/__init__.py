"""The command line from outside: processes, exit codes, what is printed where."""
