-- Moves one subject (address, cell, target row) to another state, if its epoch and state are still those expected and
-- the budgets allow it, counted after the step.
--
-- KEYS  1 chain hash   2 :v zset of versions   3 :x zset
-- ARGV  field epoch state | newState pool until weight relapse bump(0|1) resetEvidence(0|1) due('' or micros from now) ttlSeconds
--       members (budget field whose row is members,out)   charge (budget field that this subject counts in)
--       sharePpm minInService force(0|1)
--       b, b x budget field: the out counts that are added up against the share (a cell counts beside its addresses)
-- The row given replaces the head only: evidence belongs to settle and live leases belong to admit, and both may have
-- changed since the caller read the row.
-- Answers  {applied, epoch, version} | {capped, share|floor, members, out} | {stale, row}
local H, V, X = KEYS[1], KEYS[2], KEYS[3]
local call, pack, unpack_ = redis.call, struct.pack, struct.unpack
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local field, epoch, state = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local newState, pool, until_, weight, relapse = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local bump, reset, due, ttl = tonumber(ARGV[9]), ARGV[10] == '1', ARGV[11], tonumber(ARGV[12])
local membersField, chargeField, ppm, minIn, force = ARGV[13], ARGV[14], tonumber(ARGV[15]), tonumber(ARGV[16]), ARGV[17] == '1'
local fields = { field, membersField, chargeField }
for i = 1, tonumber(ARGV[18]) do fields[3 + i] = ARGV[18 + i] end
local v = call('HMGET', H, unpack(fields))

local FRESH = string.rep('\0', 40)
local isCell = string.sub(field, 1, 1) == 'c'
local row = v[1]
if not row then
  if not isCell then return { 'stale', '' } end
  row = FRESH
end
local oldState, _, oldEpoch = unpack_('>BBI4', row)
if oldEpoch ~= epoch or oldState ~= state then return { 'stale', row } end

-- serving 0 healthy 1 degraded 9 slow start | out 2 quarantined 3 half-open | aside 4 dead 5 frozen 6 banned 7 draining 8 gone
local function class(s)
  if s <= 1 or s == 9 then return 'in' end
  if s <= 3 then return 'out' end
  return 'aside'
end
local was, is = class(oldState), class(newState)
local members, addressesOut = 0, 0
if v[2] then members, addressesOut = unpack_('>I4I4', v[2]) end
local chargeMembers, chargeOut = 0, 0
if v[3] then chargeMembers, chargeOut = unpack_('>I4I4', v[3]) end
local dOut = (is == 'out' and 1 or 0) - (was == 'out' and 1 or 0)
local dMembers = isCell and 0 or (is == 'aside' and 0 or 1) - (was == 'aside' and 0 or 1)

-- Asked only when the step takes somebody out of service: a relapse of a half-open one is counted already.
local leaves = was == 'in' and is ~= 'in'
if not force and (leaves or (was == 'aside' and is == 'out')) then
  local out = dOut
  for i = 1, tonumber(ARGV[18]) do
    if v[3 + i] then
      local _, o = unpack_('>I4I4', v[3 + i])
      out = out + o
    end
  end
  local n = members + dMembers
  local allowed = math.floor(n * ppm / 1000000)
  if n >= 3 then allowed = math.max(allowed, 1) end
  if out > allowed and is == 'out' then return { 'capped', 'share', n, out } end
  if leaves and n - out < math.min(minIn, members) then return { 'capped', 'floor', n, out } end
end

local nextEpoch = epoch + bump
local tail = string.sub(row, 21)
if reset then tail = string.rep('\0', 20) .. string.sub(row, 41) end
local set = { field, pack('>BBI4I8I4I2', newState, pool, nextEpoch, until_, weight, relapse) .. tail }
if dOut ~= 0 or dMembers ~= 0 then
  set[3], set[4] = chargeField, pack('>I4I4', chargeMembers + dMembers, chargeOut + dOut)
end
call('HSET', H, unpack(set))
local version = call('HINCRBY', H, 'v', 1)
call('ZADD', V, version, field)
if due ~= '' then call('ZADD', X, now + tonumber(due), field) else call('ZREM', X, field) end
call('PUBLISH', H, version)
call('EXPIRE', H, ttl)
call('EXPIRE', V, ttl)
call('EXPIRE', X, ttl)
return { 'applied', nextEpoch, version }
