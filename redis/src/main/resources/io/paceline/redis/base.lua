-- The rows that a step has touched, written back in one go at its end, and how the rows of addresses and cells are read.
local band = bit.band

-- ---- writing back

local touched, sets = {}, {}

-- Has the object's save() called once, at the end.
local function touch(object)
  if not object.touched then
    object.touched = true
    touched[#touched + 1] = object
  end
end

-- Sets a field of a hash at the end.
local function put(hash, field, value)
  local set = sets[hash]
  if not set then
    set = {hash}
    sets[hash] = set
  end
  set[#set + 1] = field
  set[#set + 1] = value
end

-- As many values in one command as Lua's stack can carry.
--# STACK = 4000

local function in_parts(command, key, values)
  for from = 1, #values, STACK do
    call(command, key, unpack(values, from, min(#values, from + STACK - 1)))
  end
end

local function flush()
  for i = 1, #touched do
    local object = touched[i]
    object.touched = false
    object.save(object)
  end
  touched = {}
  for _, set in pairs(sets) do
    if #set < STACK then
      call('HSET', unpack(set))
    else
      local key = table.remove(set, 1)
      in_parts('HSET', key, set)
    end
  end
  sets = {}
end

-- ---- rows of addresses and cells

-- What a standing says, one bit each; Java has written them beside the standing, and knows what they follow from.
--# SERVES, SERVES_SESSIONS, FIT, HALF_OPEN, COUNTS, GONE, IN_PANIC, HEALTHY, REMEMBERED = 1, 2, 4, 8, 16, 32, 64, 128, 256
-- Marks of a row.
--# REMOVED, SHARED, PAUSED = 1, 2, 4

local function has(bits, one)
  return band(bits, one) ~= 0
end

-- The standing's own octets are opaque; a cell that was never judged has none.
local function judge(row, head)
  row.head = head
  if head == '' then
    row.flags, row.epoch, row.due, row.back, row.out_since = FRESH_FLAGS, 0, 0, 0, 0
  else
    row.flags, row.epoch, row.due, row.back, row.out_since = read('<Hi4ddd', head)
  end
end

local function save_row(row)
  local tail = row.evidence and row.pack(row) or row.tail
  put(row.hash, row.field, pack('<i4i4dBH', row.live, row.revision, row.used, row.marks, #row.head)
    .. row.head .. (row.owner or '') .. tail)
end

local function new_row(hash, field, head, owner, tail)
  local row = {hash = hash, field = field, live = 0, revision = 0, used = now, marks = 0, owner = owner, tail = tail,
    save = save_row}
  judge(row, head)
  return row
end

-- 19 octets of counters, the standing, of an address its owner (32), and the evidence, read only where somebody needs it.
local function parse(hash, field, raw, of_address)
  local live, revision, used, marks, size = read('<i4i4dBH', raw)
  local row = {hash = hash, field = field, live = live, revision = revision, used = used, marks = marks, save = save_row}
  judge(row, sub(raw, 20, 19 + size))
  if of_address then
    row.owner = sub(raw, 20 + size, 51 + size)
    row.born = read('<i4', row.owner, 29)
    row.tail = sub(raw, 52 + size)
  else
    row.tail = sub(raw, 20 + size)
  end
  return row
end

local chains = {}

local function chain_of(id)
  local chain = chains[id]
  if not chain then
    chain = {id = id, hash = PREFIX .. 'c:' .. id, rows = {}, cells = {}}
    chains[id] = chain
  end
  return chain
end

local function take_address(chain, slot, raw)
  local row = raw and parse(chain.hash, 'a' .. slot, raw, true) or false
  if row then
    row.slot = slot
  end
  chain.rows[slot] = row
  return row
end

local function take_cell(chain, slot, target, raw)
  local field = 'c' .. slot .. ':' .. target
  local row = raw and parse(chain.hash, field, raw, false) or false
  if row then
    row.slot, row.target = slot, target
  end
  chain.cells[field] = row
  return row
end

-- The row of a slot, of an address that was removed too; false where there is none.
local function known(chain, slot)
  local row = chain.rows[slot]
  if row == nil then
    row = take_address(chain, slot, call('HGET', chain.hash, 'a' .. slot))
  end
  return row
end

-- The row of an address that is in the list; false where there is none.
local function address_of(chain, slot)
  local row = known(chain, slot)
  return row and not has(row.marks, REMOVED) and row
end

local function cell_if_known(chain, slot, target)
  local row = chain.cells['c' .. slot .. ':' .. target]
  if row == nil then
    row = take_cell(chain, slot, target, call('HGET', chain.hash, 'c' .. slot .. ':' .. target))
  end
  return row
end

-- It is written only where something is counted in it.
local function cell_of(chain, slot, target)
  local row = cell_if_known(chain, slot, target)
  if not row then
    local field = 'c' .. slot .. ':' .. target
    row = new_row(chain.hash, field, '', nil, '')
    row.slot, row.target = slot, target
    chain.cells[field] = row
    touch(row)
  end
  return row
end

-- What answers carry of a row: all of it, with what this step has changed.
local function raw_of(row)
  local tail = row.evidence and row.pack(row) or row.tail
  return pack('<i4i4dBH', row.live, row.revision, row.used, row.marks, #row.head) .. row.head .. (row.owner or '') .. tail
end

-- ---- addresses that stand in several pools: their leases are counted once, by owner, and by owner and target

local OCCUPIED = PREFIX .. 'o'
local occupied = {}

local function occupied_by(field)
  local count = occupied[field]
  if not count then
    count = tonumber(call('HGET', OCCUPIED, field) or 0)
    occupied[field] = count
  end
  return count
end

local function occupy_shared(owner, target, by)
  for _, field in ipairs({owner, owner .. target}) do
    local left = occupied_by(field) + by
    occupied[field] = left
    if left > 0 then
      call('HSET', OCCUPIED, field, left)
      call('PEXPIRE', OCCUPIED, KEPT_MILLIS)
    else
      call('HDEL', OCCUPIED, field)
    end
  end
end

local function live_on(row)
  return has(row.marks, SHARED) and occupied_by(sub(row.owner, 1, 8)) or row.live
end

local function live_on_target(row, cell, target)
  if has(row.marks, SHARED) then
    return occupied_by(sub(row.owner, 1, 8) .. target)
  end
  return cell and cell.live or 0
end
