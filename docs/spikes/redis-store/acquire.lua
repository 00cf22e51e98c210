-- Admits one request in one atomic step: every limit, the session's binding, the first candidate that really is free,
-- the lease. All of it or nothing: everything is read and decided first, then written.
--
-- KEYS  1 chain hash   2 :x zset   3 session (the chain hash where there is none)   4.. one per charge
-- ARGV  id purpose target ttl maxWait ceiling useByGrace count sessionMode sessionTtl ticket
--       P, P x (capAddress capCell)               caps by pool of the chain: a bound address may be in any of them
--       k, k x (slot epochAddress epochCell)      candidates in the order of preference
--       m, m x (kind interval size cost observe hash)   g: T burst | w: window limit | c: 0 max
-- All times are microseconds. Epochs and counts are integers; ids, slots, targets and hashes are opaque strings,
-- because 64 bits do not fit a Lua number.
--
-- Answers  G now {lease row}.. sessionCreated observed    granted
--          R now {ticket row}                             reserved
--          N now charge at hint observed                  refused by charge number `charge`; at -1 = nobody knows
--          B now {flag rowA rowC}..                       no candidate was free
--          S now why {flag rowA rowC}                     the session's own address cannot serve | ended | missing
--          E now at                                       the ticket is for later
--          X now                                          the id was abandoned, or the ticket is gone
local H, X, SESSION = KEYS[1], KEYS[2], KEYS[3]
local call, pack, unpack_, concat = redis.call, struct.pack, struct.unpack, table.concat
local time = call('TIME')
local now = time[1] * 1000000 + time[2]

local id, purpose, target = ARGV[1], ARGV[2], ARGV[3]
local ttl, maxWait, ceiling, grace = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local count, mode, sessionTtl, ticket = tonumber(ARGV[8]), ARGV[9], tonumber(ARGV[10]), ARGV[11]

local HEAD, TAIL, FRESH = '>BBI4I8I4I2', 20, pack('>BBI4I8I4I2', 0, 0, 0, 0, 0, 0) .. string.rep('\0', 20)
local BUCKETS_AT = 20 + TAIL + 1

-- Arguments -----------------------------------------------------------------------------------------------------------
-- Read in place, and made numbers only where they are used: arguments are a fifth of the script's time.
local P = tonumber(ARGV[12])
local base = 13 + 2 * P
local k = tonumber(ARGV[base])
local fields, candidates = { 'l' .. id, 'l' .. ticket }, {}
local suffix = '.' .. target
for i = 1, k do
  local slot = ARGV[base + 3 * i - 2]
  candidates[i] = { slot = slot, at = base + 3 * i - 2 }
  fields[2 * i + 1] = 'a' .. slot
  fields[2 * i + 2] = 'c' .. slot .. suffix
end
base = base + 3 * k + 1
local charges = {}
for i = 1, tonumber(ARGV[base]) do
  local at = base + 6 * i - 5
  charges[i] = {
    kind = ARGV[at], interval = tonumber(ARGV[at + 1]), size = tonumber(ARGV[at + 2]), cost = tonumber(ARGV[at + 3]),
    observe = ARGV[at + 4] == '1', hash = ARGV[at + 5], key = KEYS[3 + i],
  }
end

-- Rows ----------------------------------------------------------------------------------------------------------------
-- Live leases as (end, count): those that have passed are left out, so no sweep is needed and nothing can drift.
local function liveBuckets(row, from)
  local list, live = {}, 0
  for at = from, #row, 12 do
    local ends, n = unpack_('>I8I4', row, at)
    if ends > now then
      list[#list + 1] = { ends, n }
      live = live + n
    end
  end
  return list, live
end
local function addToBucket(list, ends)
  for _, bucket in ipairs(list) do
    if bucket[1] == ends then
      bucket[2] = bucket[2] + 1
      return
    end
  end
  list[#list + 1] = { ends, 1 }
end
local function packBuckets(list)
  local out, last = {}, now
  for i, bucket in ipairs(list) do
    out[i] = pack('>I8I4', bucket[1], bucket[2])
    last = math.max(last, bucket[1])
  end
  return concat(out), last
end

-- A lease row says everything that its end needs: where it is, its epochs, what was charged and how to undo it.
local function leaseRow(kind, slot, start, ends, useBy, epochA, epochC, index, total, paid)
  local out = { pack('>c1I8I8I8I4I4I2I2Bss', kind, start, ends, useBy, epochA, epochC, index, total, #paid, slot, target) }
  for i = 1, #paid do
    local p = paid[i]
    out[i + 1] = pack('>c1I8I8s', p[1], p[2], p[3], p[4])
  end
  return concat(out)
end

local values = call('HMGET', H, unpack(fields))
local known = values[1]
if known then
  -- A repeat gives the first answer: it is rebuilt from the rows that the first one wrote.
  local kind = string.sub(known, 1, 1)
  if kind == 'X' then return { 'X', now } end
  if kind == 'T' then return { 'R', now, known } end
  local total = unpack_('>I2', known, 36)
  local rows = { 'G', now, known }
  for i = 2, total do
    rows[#rows + 1] = call('HGET', H, 'l' .. id .. '.' .. i) or ''
  end
  rows[#rows + 1], rows[#rows + 2] = 0, 0
  return rows
end

-- A ticket has paid its rates: only the limits on leases are left to ask.
local ticketPaid
if ticket ~= '' then
  local row = values[2]
  if not row or string.sub(row, 1, 1) ~= 'T' then return { 'X', now } end
  local _, start, _, useBy, _, _, _, _, n, at = unpack_('>c1I8I8I8I4I4I2I2B', row)
  if now >= useBy then return { 'X', now } end
  if now < start then return { 'E', now, start } end
  ticketPaid = {}
  local _, _, after = unpack_('>ss', row, at)
  for i = 1, n do
    local kind, tat, step, hash, nextAt = unpack_('>c1I8I8s', row, after)
    ticketPaid[i], after = { kind, tat, step, hash }, nextAt
  end
end

-- One read for the session and every limit; a key of another type (the chain hash stands in for no session) reads nil.
local strings = { SESSION }
for i, charge in ipairs(charges) do strings[1 + i] = charge.key end
local stored = call('MGET', unpack(strings))

-- Session -------------------------------------------------------------------------------------------------------------
local bound, created = nil, 0
if mode ~= '' then
  local row = stored[1]
  if row then
    local state, _, slot = unpack_('>BI4s', row)
    if state ~= 1 then return { 'S', now, 'ended', {} } end
    bound = slot
    local a, c
    for i, candidate in ipairs(candidates) do
      if candidate.slot == slot then a, c = values[1 + 2 * i], values[2 + 2 * i] end
    end
    if not a then
      local pair = call('HMGET', H, 'a' .. slot, 'c' .. slot .. '.' .. target)
      a, c = pair[1], pair[2]
    end
    -- A bound admission ignores the proposals, and their epochs with them.
    candidates = { { slot = slot, a = a, c = c } }
  elseif mode == 'require' then
    return { 'S', now, 'missing', {} }
  end
end

-- Candidates: 0 free, 1 missing, 2 stale, 3 out of service, 4 address full, 5 cell full --------------------------------
local function serves(state)
  if purpose == 'probe' then return state == 2 or state == 3 end
  if purpose == 'panic' then return state <= 3 or state == 9 end
  return state <= 1 or state == 9
end
local function examine(candidate, i)
  local a = candidate.a or (not bound and values[1 + 2 * i])
  local c = candidate.c or (not bound and values[2 + 2 * i]) or FRESH
  candidate.a, candidate.c = a, c
  if not a then return 1 end
  local stateA, pool, epochA = unpack_(HEAD, a)
  local stateC, _, epochC = unpack_(HEAD, c)
  local at = candidate.at
  local stale = at and (tonumber(ARGV[at + 1]) ~= epochA or tonumber(ARGV[at + 2]) ~= epochC)
  candidate.epochA, candidate.epochC = epochA, epochC
  if stale then return 2 end
  if not serves(stateA) or (purpose ~= 'probe' and not serves(stateC)) then return 3 end
  candidate.bucketsA, candidate.liveA = liveBuckets(a, BUCKETS_AT)
  candidate.bucketsC, candidate.liveC = liveBuckets(c, BUCKETS_AT)
  -- Half-open and probing: one lease at a time, whatever the cap.
  local trickle = purpose == 'probe' or stateA == 9
  candidate.capA = trickle and 1 or tonumber(ARGV[13 + 2 * pool])
  candidate.capC = (trickle or stateC == 9) and 1 or tonumber(ARGV[14 + 2 * pool])
  if candidate.liveA >= candidate.capA then return 4 end
  if candidate.liveC >= candidate.capC then return 5 end
  return 0
end
local free = 0
for i, candidate in ipairs(candidates) do
  candidate.flag = examine(candidate, i)
  if candidate.flag == 0 then
    free = free + 1
    if count == 1 then break end
  end
end
local function rowsOf()
  local out = {}
  for i, candidate in ipairs(candidates) do
    out[i] = { candidate.flag, candidate.a or '', candidate.c or '' }
  end
  return out
end
if bound and free == 0 then return { 'S', now, 'bound', rowsOf()[1] } end

-- Limits --------------------------------------------------------------------------------------------------------------
for i, charge in ipairs(charges) do
  local row = stored[1 + i]
  if charge.kind == 'g' then
    charge.tat, charge.hint = 0, 0
    if row then charge.tat, charge.hint = unpack_('>I8I8', row) end
    -- A clock that stepped back must not lock a limit for hours. The bound is the longest wait that anybody may have
    -- been granted, never this request's own: that would cut off what others have reserved.
    charge.tat = math.min(charge.tat, now + charge.size * charge.interval + ceiling)
  elseif charge.kind == 'w' then
    charge.ring = {}
    for at = 1, #(row or ''), 8 do charge.ring[#charge.ring + 1] = unpack_('>I8', row, at) end
  else
    charge.buckets, charge.live = liveBuckets(row or '', 1)
  end
end
-- When a charge lets one more permit go: now or earlier, later, or nil where only a lease's end can tell.
local function opensAt(charge)
  if charge.kind == 'g' then
    if charge.cost > charge.size then return nil end
    return math.max(charge.tat, now) - (charge.size - charge.cost) * charge.interval
  elseif charge.kind == 'w' then
    if charge.cost > charge.size then return nil end
    local ring, at = charge.ring, now
    local oldest = #ring - charge.size + charge.cost
    if #ring > 0 then at = math.max(at, ring[#ring]) end
    if oldest >= 1 then at = math.max(at, ring[oldest] + charge.interval) end
    return at
  end
  if charge.live + charge.cost <= charge.size then return now end
  return nil
end
local function take(charge, at)
  if charge.kind == 'g' then
    charge.tat = math.max(charge.tat, at) + charge.cost * charge.interval
    return { 'g', charge.tat, charge.cost * charge.interval, charge.hash }
  elseif charge.kind == 'w' then
    for _ = 1, charge.cost do charge.ring[#charge.ring + 1] = at end
    while #charge.ring > charge.size do table.remove(charge.ring, 1) end
    return { 'w', at, charge.cost, charge.hash }
  end
  charge.live = charge.live + charge.cost
  charge.taken = true
  return { 'c', 0, charge.cost, charge.hash }
end

local width = math.ceil(ttl / 16)
local ends = math.ceil((now + ttl) / width) * width
local observed = 0
local function verdict(skipLeaseLimits)
  local worst, worstAt, at = nil, now, now
  for i, charge in ipairs(charges) do
    if not (skipLeaseLimits and charge.kind == 'c') and not (ticketPaid and charge.kind ~= 'c') then
      local opens = opensAt(charge)
      charge.opens = opens
      if opens == nil or opens > now then
        if charge.observe then
          observed = bit.bor(observed, 2 ^ (i - 1))
          charge.skip = true
        elseif opens == nil then
          return i, nil
        elseif opens > at or worst == nil then
          worst, at = i, math.max(at, opens)
        end
      end
    end
  end
  return worst, at
end

local function store(charge)
  if charge.kind == 'g' then
    local last = math.max(charge.tat, charge.hint)
    call('SET', charge.key, pack('>I8I8', charge.tat, charge.hint), 'PX', math.max(1, math.ceil((last - now) / 1000) + 1))
  elseif charge.kind == 'w' then
    local out = {}
    for i, at in ipairs(charge.ring) do out[i] = pack('>I8', at) end
    call('SET', charge.key, concat(out), 'PX', math.ceil((charge.ring[#charge.ring] - now + charge.interval) / 1000) + 1)
  else
    local row, last = packBuckets(charge.buckets)
    call('SET', charge.key, row, 'PX', math.max(1, math.ceil((last - now) / 1000) + 1))
  end
end

local refusedBy, opens = verdict(false)
if refusedBy then
  -- Rates first and alone: a ticket is for a time only, limits on leases are asked at its start.
  local rate, at = verdict(true)
  local binding = charges[rate or refusedBy]
  if rate and at and at - now <= maxWait then
    local fits = true
    for _, charge in ipairs(charges) do
      local spacing = charge.kind == 'g' and charge.interval or charge.interval / charge.size
      if charge.kind ~= 'c' and not charge.skip then fits = fits and at - math.max(now, charge.opens) <= spacing end
    end
    if fits then
      local paid = {}
      for _, charge in ipairs(charges) do
        if charge.kind ~= 'c' and not charge.skip then
          paid[#paid + 1] = take(charge, at)
          store(charge)
        end
      end
      local row = leaseRow('T', '', at, at + grace, at + grace, 0, 0, 1, 1, paid)
      call('HSET', H, 'l' .. id, row)
      call('ZADD', X, at + grace, 'l' .. id)
      return { 'R', now, row }
    end
  end
  if not rate then
    local hint = -1
    for _, bucket in ipairs(binding.buckets or {}) do
      if hint < 0 or bucket[1] < hint then hint = bucket[1] end
    end
    return { 'N', now, refusedBy, -1, hint, observed }
  end
  local hint = at or -1
  if at and binding.kind == 'g' then
    -- Each caller is sent home until another instant; the advisory clock wraps, or impatient callers drive it away.
    binding.hint = math.max(binding.hint + binding.interval, at)
    if binding.hint > at + 1000 * binding.interval then binding.hint = at end
    hint = binding.hint
    store(binding)
  end
  return { 'N', now, rate, at or -1, hint, observed }
end
if free == 0 then return { 'B', now, unpack(rowsOf()) } end

-- Grant: as many permits as are free now, each of them all or nothing -------------------------------------------------
local grants, at = {}, 1
while #grants < count do
  if #grants > 0 and verdict(false) then break end
  local chosen
  for i = 0, #candidates - 1 do
    local candidate = candidates[(at - 1 + i) % #candidates + 1]
    if candidate.flag == 0 and candidate.liveA < candidate.capA and candidate.liveC < candidate.capC then
      chosen, at = candidate, (at - 1 + i) % #candidates + 2
      break
    end
  end
  if not chosen then break end
  local paid = ticketPaid or {}
  for _, charge in ipairs(charges) do
    if not charge.skip and not (ticketPaid and charge.kind ~= 'c') then
      paid[#paid + 1] = take(charge, now)
      if charge.kind == 'c' then
        for _ = 1, charge.cost do addToBucket(charge.buckets, ends) end
      end
    end
  end
  chosen.liveA, chosen.liveC, chosen.used = chosen.liveA + 1, chosen.liveC + 1, true
  addToBucket(chosen.bucketsA, ends)
  addToBucket(chosen.bucketsC, ends)
  grants[#grants + 1] = { chosen, paid }
end

local set, due, reply = {}, {}, { 'G', now }
for i, grant in ipairs(grants) do
  local candidate, field = grant[1], i == 1 and 'l' .. id or 'l' .. id .. '.' .. i
  local row = leaseRow('L', candidate.slot, now, ends, 0, candidate.epochA, candidate.epochC, i, #grants, grant[2])
  set[#set + 1], set[#set + 2] = field, row
  due[#due + 1], due[#due + 2] = ends, field
  reply[#reply + 1] = row
end
for _, candidate in ipairs(candidates) do
  if candidate.used then
    set[#set + 1] = 'a' .. candidate.slot
    set[#set + 1] = string.sub(candidate.a, 1, BUCKETS_AT - 1) .. packBuckets(candidate.bucketsA)
    set[#set + 1] = 'c' .. candidate.slot .. '.' .. target
    set[#set + 1] = string.sub(candidate.c, 1, BUCKETS_AT - 1) .. packBuckets(candidate.bucketsC)
  end
end
for _, charge in ipairs(charges) do
  if not charge.skip and not (ticketPaid and charge.kind ~= 'c') then store(charge) end
end
call('HSET', H, unpack(set))
call('ZADD', X, unpack(due))
if ticket ~= '' then
  call('HDEL', H, 'l' .. ticket)
  call('ZREM', X, 'l' .. ticket)
end
if mode ~= '' and not bound then
  created = 1
  call('SET', SESSION, pack('>BI4s', 1, 0, grants[1][1].slot), 'PX', math.ceil(sessionTtl / 1000))
elseif mode == 'sliding' then
  call('PEXPIRE', SESSION, math.ceil(sessionTtl / 1000))
end
reply[#reply + 1], reply[#reply + 2] = created, observed
return reply
