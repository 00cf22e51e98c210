-- Ends one lease or ticket, once: frees its buckets exactly, adds the outcome to its rows, refunds where it may.
--
-- KEYS  1 chain hash   2 :x zset   3 prefix of limit keys (same hash tag: the keys themselves are in the lease row)
-- ARGV  id slot target expires class stepAddress stepCell ceilingOfEvidence failed
--       class: settled | canceled | abandoned.   slot '' : the caller lost the answer and knows the id alone.
--       steps are signed thousandths (evidence in whole numbers, so that Java and Lua agree to the last digit)
-- Answers  {settled|already|expired|unknown, now, rowA, rowC, rowT, rowP, trained, refunded}
local H, X, PREFIX = KEYS[1], KEYS[2], KEYS[3]
local call, pack, unpack_, concat = redis.call, struct.pack, struct.unpack, table.concat
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local id, slot, target, nominalEnd, class = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]
local stepA, stepC, top, failed = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local HEAD_BYTES, TAIL_BYTES = 20, 20
local FRESH = string.rep('\0', HEAD_BYTES + TAIL_BYTES)

local field, lease = 'l' .. id, nil
if slot == '' then
  lease = call('HGET', H, field)
  if lease and string.sub(lease, 1, 1) == 'L' then slot, target = unpack_('>ss', lease, 39) end
end
local v = call('HMGET', H, field, 'a' .. slot, 'c' .. slot .. '.' .. target, 't' .. target, 'p')
lease = v[1]

if not lease then
  if class == 'abandoned' and slot == '' then
    -- The admission may still be on its way (another connection): leave word for it, for as long as it could matter.
    call('HSET', H, field, 'X')
    call('ZADD', X, now + 60000000, field)
    return { 'unknown', now }
  end
  return { now < nominalEnd and 'already' or 'expired', now, v[2] or '', v[3] or '', v[4] or '', v[5] or '', 0, 0 }
end
if lease == 'X' then return { 'already', now } end

local kind, start, ends, _, epochA, epochC, _, _, n, at = unpack_('>c1I8I8I8I4I4I2I2B', lease)
local _, _, after = unpack_('>ss', lease, at)

local function without(row, from, gone)
  local out, left = {}, gone
  for i = from, #row, 12 do
    local e, count = unpack_('>I8I4', row, i)
    if e == ends and left > 0 then
      count, left = count - left, 0
    end
    if count > 0 and e > now then out[#out + 1] = pack('>I8I4', e, count) end
  end
  return concat(out)
end

-- An expired lease's buckets have passed by themselves; its row is only swept up.
if now >= ends then
  call('HDEL', H, field)
  call('ZREM', X, field)
  return { 'expired', now, v[2] or '', v[3] or '', v[4] or '', v[5] or '', 0, 0 }
end

-- Limits: leases give their place back, unused permits give their slot back if nobody has reserved behind it.
local refunded = 0
for _ = 1, n do
  local what, mark, step, hash, nextAt = unpack_('>c1I8I8s', lease, after)
  after = nextAt
  local key = PREFIX .. hash
  if what == 'c' then
    local row = call('GET', key)
    if row then
      local rest = without(row, 1, step)
      if rest == '' then call('DEL', key) else call('SET', key, rest, 'KEEPTTL') end
    end
  elseif class ~= 'settled' then
    local row = call('GET', key)
    if row and what == 'g' then
      local tat, hint = unpack_('>I8I8', row)
      if tat == mark then
        call('SET', key, pack('>I8I8', tat - step, hint), 'KEEPTTL')
        refunded = refunded + 1
      end
    elseif row and what == 'w' then
      if unpack_('>I8', row, #row - 7) == mark then
        call('SET', key, string.sub(row, 1, #row - 8 * step), 'KEEPTTL')
        refunded = refunded + 1
      end
    end
  end
end

call('HDEL', H, field)
call('ZREM', X, field)
if kind == 'T' then return { 'settled', now, '', '', '', '', 0, refunded } end

-- Outcome: an older epoch trains nothing; faults of one address inside 300 ms count once.
local function train(row, step, same)
  local evidence, lastFault, total, faults = unpack_('>I4I8I4I4', row, HEAD_BYTES + 1)
  if same and class == 'settled' then
    local burst = step > 0 and now - lastFault < 300000
    if not burst then evidence = math.min(top, math.max(0, evidence + step)) end
    if step > 0 and not burst then lastFault = now end
    total, faults = total + 1, faults + failed
  end
  return string.sub(row, 1, HEAD_BYTES) .. pack('>I4I8I4I4', evidence, lastFault, total, faults)
end
local a, c = v[2], v[3]
local trained = 0
local set = {}
if a then
  local _, _, nowA = unpack_('>BBI4', a)
  local _, _, nowC = unpack_('>BBI4', c or FRESH)
  local same = nowA == epochA and nowC == epochC
  if same then trained = 1 end
  a = train(a, stepA, same) .. without(a, HEAD_BYTES + TAIL_BYTES + 1, 1)
  set[#set + 1], set[#set + 2] = 'a' .. slot, a
  if c then
    c = train(c, stepC, same) .. without(c, HEAD_BYTES + TAIL_BYTES + 1, 1)
    set[#set + 1], set[#set + 2] = 'c' .. slot .. '.' .. target, c
  end
end

-- Target: twelve buckets of ten seconds (n, f), newest first, behind the number of the newest.
local t, p = v[4], v[5]
if class == 'settled' and trained == 1 then
  local tick = math.floor(now / 10000000)
  local newest = t and unpack_('>I4', t) or tick
  local cells = t and string.sub(t, 5) or ''
  local gap = math.min(12, math.max(0, tick - newest))
  cells = string.sub(string.rep('\0', 4 * gap) .. cells, 1, 48)
  if cells == '' then cells = '\0\0\0\0' end
  local tn, tf = unpack_('>I2I2', cells)
  t = pack('>I4I2I2', math.max(tick, newest), math.min(65535, tn + 1), math.min(65535, tf + failed)) .. string.sub(cells, 5)
  local pn, pf = 0, 0
  if p then pn, pf = unpack_('>I8I8', p) end
  p = pack('>I8I8', pn + 1, pf + failed)
  set[#set + 1], set[#set + 2], set[#set + 3], set[#set + 4] = 't' .. target, t, 'p', p
end
if #set > 0 then call('HSET', H, unpack(set)) end
return { 'settled', now, a or '', c or '', t or '', p or '', trained, refunded }
