-- A sign of life of one instance; answers everybody's.
--
-- ARGV  1 instance  2 numbers (sequence, valid until, birth and generation as known, longest lease, standing)
local ROSTER = PREFIX .. 'r'
-- Who has left is remembered as long as who is silent, so that a beat that comes late does not bring it back.
--# LEAVING = 3
-- Who has been silent for so long is forgotten: it has long ceased to serve alone.
--# FORGOTTEN_AFTER = 330000000
local sequence, valid_until, known_birth, knows, longest, standing = read('<dddddB', ARGV[2])
local function has_left(raw)
  return read('<d', raw, 33) == LEAVING
end

local raws = call('HGETALL', ROSTER)
local birth, generation, members = now, 0, {}
for i = 1, #raws, 2 do
  if raws[i] == 'birth' then
    birth = tonumber(raws[i + 1])
  elseif raws[i] == 'generation' then
    generation = tonumber(raws[i + 1])
  else
    members[raws[i]] = raws[i + 1]
  end
end
if #raws == 0 then
  call('HSET', ROSTER, 'birth', string.format('%.0f', birth))
end

knows = known_birth == birth and knows or 0
local changed = false
for id, raw in pairs(members) do
  if id ~= ARGV[1] and now - read('<d', raw) > FORGOTTEN_AFTER then
    call('HDEL', ROSTER, id)
    members[id] = nil
    changed = changed or not has_left(raw)
  end
end
local own = members[ARGV[1]]
local last = own and read('<d', own, 41) or 0
local gone = own and has_left(own) or false
local is_member = own and not gone or false
local leaves = standing == LEAVING
local counted = now <= valid_until and not gone
if leaves or counted then
  local joined = own and read('<d', own, 17) or generation + 1
  changed = changed or leaves == is_member -- a member that leaves, or somebody new
  local raw = pack('<dddddd', now, knows, joined, longest, standing, sequence)
  members[ARGV[1]] = raw
  call('HSET', ROSTER, ARGV[1], raw)
end
if changed then
  generation = generation + 1
  call('HSET', ROSTER, 'generation', string.format('%.0f', generation))
end
call('PEXPIRE', ROSTER, KEPT_MILLIS)

local answer = {now, birth, generation, last, counted and 1 or 0}
for id, raw in pairs(members) do
  if not has_left(raw) then
    answer[#answer + 1] = id
    answer[#answer + 1] = sub(raw, 1, 40)
  end
end
return answer
