-- Finds a tally guilty, or acquits it, by compare-and-set.
--
-- ARGV  1 chain  2 tally  3 since when it is guilty as far as the caller knows  4 guilty
local chain, guilty = chain_of(ARGV[1]), ARGV[4] == '1'
begin()
local tally, expected = tally_if_known(chain, ARGV[2]), read('<d', ARGV[3])
if not tally or tally.guilty ~= expected then
  flush()
  return {0}
end
if guilty ~= (expected ~= 0) then
  put(chain.hash, 'g', guilty_count(chain) + (guilty and 1 or -1))
end
tally.guilty = guilty and now or 0
-- What was seen before an acquittal is held against nobody.
if not guilty then
  call('DEL', tally.list)
end
touch(tally)
flush()
return {1}
