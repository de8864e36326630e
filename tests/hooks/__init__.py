"""Do hooks fire, judge the right content, and leave everything else as it was? Real commits and pushes."""
