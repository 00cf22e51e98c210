-- Makes the chain's members exactly these.
--
-- ARGV  1 chain  2... members, 28 octets each: identity, tag, other tag, their marks; many to a string
local chain = chain_of(ARGV[1])
--# OWNER = 28
local LISTED = PREFIX .. 'f'
begin()
flush()

local size = number_in(chain, 'n')
chain.version = number_in(chain, 'v')
local members, keep_identity = {}, {}
for i = 2, #ARGV do
  for at = 1, #ARGV[i], OWNER do
    local owner = sub(ARGV[i], at, at + OWNER - 1)
    members[#members + 1] = owner
    keep_identity[sub(owner, 1, 8)] = true
  end
end

-- ---- the table as it is

local row_of = {}
for from = 0, size - 1, STACK do
  local fields = {}
  for slot = from, min(size, from + STACK) - 1 do
    fields[#fields + 1] = 'a' .. slot
  end
  local raws = call('HMGET', chain.hash, unpack(fields))
  for i = 1, #fields do
    local row = take_address(chain, from + i - 1, raws[i])
    if row then
      row_of[sub(row.owner, 1, 8)] = row
    end
  end
end

local function set_removed(row, removed)
  change_address(chain, row, function()
    row.marks = row.marks + (removed and REMOVED or -REMOVED)
  end)
  announce(chain, row)
end

for slot = 0, size - 1 do
  local row = chain.rows[slot]
  if row and not has(row.marks, REMOVED) and not keep_identity[sub(row.owner, 1, 8)] then
    set_removed(row, true)
  end
end
-- Who returns comes first: a new owner must not take the slot of an address that this very list brings back.
for i = 1, #members do
  local row = row_of[sub(members[i], 1, 8)]
  if row and has(row.marks, REMOVED) then
    set_removed(row, false)
  end
end

-- ---- new members

-- A new owner is a new epoch, above all that were: what the old owner's leases still report trains nothing.
local born = chain.version + 1
local fresh_head = pack('<Hi4', FRESH_FLAGS, born) .. rep('\0', 24) .. sub(FRESH_CELL, 31, SINCE_AT - 1) .. pack('<d', now)
  .. sub(FRESH_CELL, SINCE_AT + 8)
local next_free, reused = 0, {}

local function free_slot()
  while next_free < size do
    local row = chain.rows[next_free]
    if not row or has(row.marks, REMOVED) and row.live == 0 then
      break
    end
    next_free = next_free + 1
  end
  return next_free
end

local function seat(owner)
  local slot = free_slot()
  local before = chain.rows[slot]
  if slot < size and before then
    row_of[sub(before.owner, 1, 8)] = nil
    before.save = function() end
    reused[#reused + 1] = slot
  else
    size = slot + 1
  end
  local row = new_row(chain.hash, 'a' .. slot, fresh_head, owner .. pack('<i4', born), '')
  row.slot, row.born = slot, born
  chain.rows[slot] = row
  row_of[sub(owner, 1, 8)] = row
  count_address(chain, row, 1)
  touch(row)
  announce(chain, row)
  return row
end

local seated = {}
for i = 1, #members do
  local row = row_of[sub(members[i], 1, 8)]
  if not row then
    row = seat(members[i])
  elseif sub(row.owner, 1, OWNER) ~= members[i] then
    row.owner = members[i] .. sub(row.owner, OWNER + 1)
    touch(row)
  end
  seated[i] = row
end
put(chain.hash, 'n', size)

-- Cells, waits and claims of the owner before.
if #reused > 0 then
  local is_reused = {}
  for i = 1, #reused do
    is_reused[tostring(reused[i])] = true
  end
  local gone, waits = {}, {}
  local fields = call('HKEYS', chain.hash)
  for i = 1, #fields do
    local kind, slot = string.match(fields[i], '^([abckp])(%d+)')
    if kind and is_reused[slot] and kind ~= 'a' then
      gone[#gone + 1] = fields[i]
      waits[#waits + 1] = fields[i]
    elseif kind and is_reused[slot] then
      waits[#waits + 1] = fields[i]
    end
  end
  in_parts('HDEL', chain.hash, gone)
  in_parts('ZREM', PREFIX .. 'w:' .. chain.id, waits)
end

-- ---- addresses that other chains list too

local listed = {}
for from = 1, #seated, STACK do
  local identities = {}
  for i = from, min(#seated, from + STACK - 1) do
    identities[#identities + 1] = sub(seated[i].owner, 1, 8)
  end
  local listers = call('HMGET', LISTED, unpack(identities))
  for i = 1, #identities do
    local by, own = listers[i] or '', false
    for at = 1, #by, 8 do
      local other = sub(by, at, at + 7)
      if other == chain.id then
        own = true
      else
        listed[#listed + 1] = {row = seated[from + i - 1], chain = chain_of(other)}
      end
    end
    if not own then
      put(LISTED, identities[i], by .. chain.id)
    end
  end
end

local newly_shared = {}

local function share_row(own, row)
  if row and not has(row.marks, SHARED) then
    row.marks = row.marks + SHARED
    touch(row)
    newly_shared[own.id .. ':' .. row.slot .. ':' .. row.born] = row
    return true
  end
  return false
end

local any = false
for i = 1, #listed do
  local other, identity = listed[i].chain, sub(listed[i].row.owner, 1, 8)
  any = share_row(chain, listed[i].row) or any
  local slot = call('HGET', PREFIX .. 'y:' .. other.id, identity)
  local row = slot and known(other, tonumber(slot))
  any = share_row(other, row and sub(row.owner, 1, 8) == identity and row) or any
end
for i = 1, #seated do
  put(PREFIX .. 'y:' .. chain.id, sub(seated[i].owner, 1, 8), seated[i].slot)
end

-- Leases that were granted before the address was shared count too.
if any then
  local ids = call('HKEYS', LEASES)
  for i = 1, #ids do
    local lease = ids[i] ~= '~' and lease_of(ids[i])
    local row = lease and newly_shared[lease.chain .. ':' .. lease.slot .. ':' .. lease.born]
    if row and has(lease.flags, OCCUPIES) and not lease.owner then
      lease.owner, lease.flags = sub(row.owner, 1, 8), lease.flags + COUNTED_SHARED
      put(LEASES, lease.id, pack_lease(lease))
      occupy_shared(lease.owner, lease.target, 1)
    end
  end
end

local answer = {now, size, chain.version}
for i = 1, #seated do
  answer[#answer + 1] = seated[i].slot
  answer[#answer + 1] = raw_of(seated[i])
end
flush()
publish(chain)
-- Members that are no leases and no session, so that none of these keys is ever made anew without a time to live.
call('ZADD', ENDS, '+inf', '~')
call('HSET', LEASES, '~', '')
call('ZADD', PREFIX .. 'i:' .. chain.id, '+inf', '~')
keep(chain)
call('PEXPIRE', PREFIX .. 'y:' .. chain.id, KEPT_MILLIS)
return answer
