-- One step of an enrolment, which makes a chain's members those of a list. A step is for a part of them, so that nobody waits long.
--
--   find    which slots have they?              answers now, slots in the table, version, of each its slot, -1 for none,
--                                               or -2 - slot for who was removed
--   change  slots whose owners leave, and       answers now; who returns comes before who is new, or that one would take
--           members who come back               his slot
--   seat    a row for each; who has no slot     answers now, slots in the table, version, where to look on, slot and row of
--           takes the first free one, from a    each that is seated; where many slots must be looked at, not of all
--           place on
--
-- ARGV  1 chain  2 step  3... find: members; change: slots, members; seat: place, members. A member has 28 octets: identity,
-- tag, other tag, their marks
local chain = chain_of(ARGV[1])
--# OWNER = 28
-- Slots that a step looks at for a free one.
--# LOOK, LOOK_AT_ONCE = 1000, 200
local LISTED = PREFIX .. 'f'
local SLOTS = PREFIX .. 'y:' .. chain.id
begin()
flush()

local size = number_in(chain, 'n')
chain.version = number_in(chain, 'v')

local function load(slots)
  local fields, wanted = {}, {}
  for i = 1, #slots do
    if chain.rows[slots[i]] == nil then
      fields[#fields + 1] = 'a' .. slots[i]
      wanted[#wanted + 1] = slots[i]
    end
  end
  local raws = #fields > 0 and call('HMGET', chain.hash, unpack(fields)) or {}
  for i = 1, #fields do
    take_address(chain, wanted[i], raws[i])
  end
end

-- Members as they were given, their identities, and their rows; false for who has none.
local function members_of(octets)
  local members, identities, rows = {}, {}, {}
  for at = 1, #octets, OWNER do
    members[#members + 1] = sub(octets, at, at + OWNER - 1)
    identities[#identities + 1] = sub(octets, at, at + 7)
  end
  local found = #members > 0 and call('HMGET', SLOTS, unpack(identities)) or {}
  local slots = {}
  for i = 1, #members do
    slots[#slots + 1] = found[i] and tonumber(found[i]) or nil
  end
  load(slots)
  for i = 1, #members do
    local row = found[i] and chain.rows[tonumber(found[i])]
    rows[i] = row and sub(row.owner, 1, 8) == identities[i] and row or false
  end
  return members, identities, rows
end

if ARGV[2] == 'find' then
  local members, _, rows = members_of(ARGV[3])
  local answer = {now, size, chain.version}
  for i = 1, #members do
    local row = rows[i]
    answer[#answer + 1] = row and (has(row.marks, REMOVED) and -2 - row.slot or row.slot) or -1
  end
  return answer
end

local function set_removed(row, removed)
  change_address(chain, row, function()
    row.marks = row.marks + (removed and REMOVED or -REMOVED)
  end)
  announce(chain, row)
end

if ARGV[2] == 'change' then
  local leaving = {}
  for at = 1, #ARGV[3], 4 do
    leaving[#leaving + 1] = read('<i4', ARGV[3], at)
  end
  load(leaving)
  for i = 1, #leaving do
    local row = chain.rows[leaving[i]]
    if row and not has(row.marks, REMOVED) then
      set_removed(row, true)
    end
  end
  local members, _, rows = members_of(ARGV[4])
  for i = 1, #members do
    if rows[i] and has(rows[i].marks, REMOVED) then
      set_removed(rows[i], false)
    end
  end
  flush()
  publish(chain)
  return {now}
end

-- ---- seats

-- A new owner is a new epoch, above all that were: what the old owner's leases still report trains nothing.
local born = chain.version + 1
local fresh_head = pack('<Hi4', FRESH_FLAGS, born) .. rep('\0', 24) .. sub(FRESH_CELL, 31, SINCE_AT - 1) .. pack('<d', now)
  .. sub(FRESH_CELL, SINCE_AT + 8)
local place, looked, reused = tonumber(ARGV[3]), 0, {}

-- The first free slot; nil where too many had to be looked at.
local function free_slot()
  while place < size do
    if chain.rows[place] == nil then
      if looked >= LOOK then
        return nil
      end
      looked = looked + LOOK_AT_ONCE
      local slots = {}
      for slot = place, min(size, place + LOOK_AT_ONCE) - 1 do
        slots[#slots + 1] = slot
      end
      load(slots)
    end
    local row = chain.rows[place]
    if not row or has(row.marks, REMOVED) and row.live == 0 then
      return place
    end
    place = place + 1
  end
  return place
end

local function seat(slot, owner)
  if slot < size and chain.rows[slot] then
    reused[#reused + 1] = slot
  end
  size = max(size, slot + 1)
  local row = new_row(chain.hash, 'a' .. slot, fresh_head, owner .. pack('<i4', born), '')
  row.slot, row.born = slot, born
  chain.rows[slot] = row
  count_address(chain, row, 1)
  touch(row)
  announce(chain, row)
  return row
end

local members, identities, rows = members_of(ARGV[4])
local seated = {}
for i = 1, #members do
  local row = rows[i]
  if not row then
    local slot = free_slot()
    if not slot then
      break
    end
    row = seat(slot, members[i])
  else
    if has(row.marks, REMOVED) then
      set_removed(row, false) -- by another's list, since it was found
    end
    if sub(row.owner, 1, OWNER) ~= members[i] then
      row.owner = members[i] .. sub(row.owner, OWNER + 1)
      touch(row)
    end
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
local listers = #seated > 0 and call('HMGET', LISTED, unpack(identities, 1, #seated)) or {}
for i = 1, #seated do
  local by, own = listers[i] or '', false
  for at = 1, #by, 8 do
    local other = sub(by, at, at + 7)
    if other == chain.id then
      own = true
    else
      listed[#listed + 1] = {row = seated[i], chain = chain_of(other)}
    end
  end
  if not own then
    put(LISTED, identities[i], by .. chain.id)
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
  put(SLOTS, identities[i], seated[i].slot)
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

local answer = {now, size, chain.version, place}
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
call('PEXPIRE', SLOTS, KEPT_MILLIS)
return answer
