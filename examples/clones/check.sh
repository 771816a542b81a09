# Fails when more than 3 % of the lines are in copied blocks; clones.html shows the blocks.
dedup scan shop --preset clones --fail-over 3% --format html=clones.html > clones.jsonl
