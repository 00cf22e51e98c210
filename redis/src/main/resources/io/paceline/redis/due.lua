-- Hands out what time has made due, each item to one caller, and clears away what is idle.
--
-- ARGV  1 chain  2 most of each kind
--# CLAIM, CELL_IDLE, TALLY_IDLE = 5000000, 3600000000, 86400000000
local chain, most = chain_of(ARGV[1]), tonumber(ARGV[2])
local waits, reports = PREFIX .. 'w:' .. chain.id, PREFIX .. 'e:' .. chain.id
begin()

local waits_over = {}
local items = call('ZRANGEBYSCORE', waits, '-inf', now, 'LIMIT', 0, most)
for i = 1, #items do
  local kind, slot = string.match(items[i], '^([ac])(%d+)')
  slot = tonumber(slot)
  local row = kind == 'a' and known(chain, slot)
  if kind == 'c' then
    row = cell_if_known(chain, slot, sub(items[i], -8))
  end
  if not row or row.due == 0 then
    call('ZREM', waits, items[i])
  else
    -- The wait of a removed address is kept for its return, and given to nobody until then.
    if address_of(chain, slot) then
      waits_over[#waits_over + 1] = {slot, kind == 'c' and sub(items[i], -8) or '', raw_of(row)}
    end
    call('ZADD', waits, now + CLAIM, items[i])
  end
end

local ended = call('LRANGE', reports, 0, most - 1)
if #ended > 0 then
  call('LTRIM', reports, #ended, -1)
end

local function first_score(key)
  local first = call('ZRANGE', key, 0, 0, 'WITHSCORES')
  return first[2] and first[2] ~= 'inf' and tonumber(first[2]) or -1
end

local function forget_idle(field, raw)
  local kind = byte(field)
  if kind == 99 then -- a cell
    local slot, target = string.match(field, '^c(%d+):'), sub(field, -8)
    local row = cell_if_known(chain, tonumber(slot), target)
    if row and row.live == 0 and has(row.flags, SERVES) and not has(row.flags, REMEMBERED) and not has(row.marks, PAUSED)
      and now - row.used > CELL_IDLE then
      call('HDEL', chain.hash, field)
    end
  elseif kind == 98 then -- a probe's claim
    if read('<d', raw) <= now then
      call('HDEL', chain.hash, field)
    end
  elseif kind == 116 and #field == 9 and sub(field, 2) ~= rep('\0', 8) then -- a tally
    local guilty, newest_step = read('<dd', raw)
    if guilty == 0 and now - newest_step * STEP > TALLY_IDLE then
      call('HDEL', chain.hash, field)
      call('DEL', PREFIX .. 'n:' .. chain.id .. sub(field, 2))
    end
  end
end

local place = call('HGET', chain.hash, 's') or '0'
local scanned = call('HSCAN', chain.hash, place, 'COUNT', 50)
for i = 1, #scanned[2], 2 do
  forget_idle(scanned[2][i], scanned[2][i + 1])
end
if call('EXISTS', chain.hash) == 1 then
  put(chain.hash, 's', scanned[1])
end
call('ZREMRANGEBYSCORE', PREFIX .. 'i:' .. chain.id, '-inf', now)

flush()
keep(chain)
call('PEXPIRE', PREFIX .. 'y:' .. chain.id, KEPT_MILLIS)
return {now, first_score(waits), first_score(ENDS), waits_over, ended}
