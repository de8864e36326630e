"""Values to text and JSON; decides nothing."""
