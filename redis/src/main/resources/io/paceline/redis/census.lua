-- Who counts in a chain, and who of them is out: core's Census, kept step by step. In the chain's hash: m members, o those
-- of them that are not in service, u<target> what its cells add up to, k<slot> the targets of the address's cells that are
-- not in service. Beside it a sorted set of the targets that miss cells of addresses that serve.

local function number_in(chain, field)
  return tonumber(call('HGET', chain.hash, field) or 0)
end

local function census_of(chain)
  if not chain.census then
    local raws = call('HMGET', chain.hash, 'm', 'o')
    chain.census = {members = tonumber(raws[1] or 0), out = tonumber(raws[2] or 0), targets = {}, save = function(self)
      put(chain.hash, 'm', self.members)
      put(chain.hash, 'o', self.out)
    end}
  end
  return chain.census
end

local function missing_set(chain)
  return PREFIX .. 'z:' .. chain.id
end

local function of_target(chain, target)
  local targets = census_of(chain).targets
  local counts = targets[target]
  if not counts then
    local raw = call('HGET', chain.hash, 'u' .. target)
    counts = {out = 0, uncounted = 0, missing = 0}
    if raw then
      counts.out, counts.uncounted, counts.missing = read('<i4i4i4', raw)
    end
    counts.save = function(self)
      if self.out == 0 and self.uncounted == 0 then
        call('HDEL', chain.hash, 'u' .. target)
      else
        put(chain.hash, 'u' .. target, pack('<i4i4i4', self.out, self.uncounted, self.missing))
      end
      if self.missing > 0 then
        call('ZADD', missing_set(chain), self.missing, target)
        call('PEXPIRE', missing_set(chain), KEPT_MILLIS)
      else
        call('ZREM', missing_set(chain), target)
      end
    end
    targets[target] = counts
  end
  return counts
end

local function is_member(row)
  return not has(row.marks, REMOVED) and has(row.flags, COUNTS)
end

local function count_address(chain, row, by)
  if is_member(row) then
    local census = census_of(chain)
    census.members = census.members + by
    census.out = census.out + (has(row.flags, SERVES) and 0 or by)
    touch(census)
  end
end

local function count_cell(chain, cell, row, by)
  if not is_member(row) then
    return
  end
  local counts = of_target(chain, cell.target)
  if has(cell.flags, COUNTS) then
    counts.out = counts.out + by
  else
    counts.uncounted = counts.uncounted + by
  end
  if has(row.flags, SERVES) then
    counts.missing = counts.missing + by
  end
  touch(counts)
end

-- The cells of an address that are not in service.
local function cells_out(chain, slot)
  local listed, cells = call('HGET', chain.hash, 'k' .. slot) or '', {}
  for at = 1, #listed, 8 do
    cells[#cells + 1] = cell_if_known(chain, slot, sub(listed, at, at + 7)) or nil
  end
  return cells, listed
end

-- An address changes, or comes and goes: its cells with it.
local function change_address(chain, row, step)
  local cells = cells_out(chain, row.slot)
  for i = 1, #cells do
    count_cell(chain, cells[i], row, -1)
  end
  count_address(chain, row, -1)
  step(row)
  count_address(chain, row, 1)
  for i = 1, #cells do
    count_cell(chain, cells[i], row, 1)
  end
  touch(row)
end

local function change_cell(chain, cell, row, step)
  local was_out = not has(cell.flags, SERVES)
  if was_out then
    count_cell(chain, cell, row, -1)
  end
  step(cell)
  local is_out = not has(cell.flags, SERVES)
  if is_out then
    count_cell(chain, cell, row, 1)
  end
  if is_out ~= was_out then
    local _, listed = cells_out(chain, cell.slot)
    local left = ''
    for at = 1, #listed, 8 do
      local target = sub(listed, at, at + 7)
      left = target == cell.target and left or left .. target
    end
    listed = is_out and left .. cell.target or left
    if listed == '' then
      call('HDEL', chain.hash, 'k' .. cell.slot)
    else
      call('HSET', chain.hash, 'k' .. cell.slot, listed)
    end
  end
  touch(cell)
end

-- Every member that goes takes from all targets but those that it does not serve anyway: the most that one of them misses.
local function most_missing_beside(chain, row)
  local cells, own = cells_out(chain, row.slot), {}
  for i = 1, #cells do
    own[cells[i].target] = true
  end
  local worst = call('ZREVRANGE', missing_set(chain), 0, #cells, 'WITHSCORES')
  for i = 1, #worst, 2 do
    if not own[worst[i]] and worst[i] ~= '~' then
      return tonumber(worst[i + 1])
    end
  end
  return 0
end

-- Of a group of so many, how many may be out, and how many must stay.
local function budget_allows(members, out_after, max_share, min_in_service)
  local by_share = floor(max_share * members + 1e-9)
  local may_go = members >= 3 and max(1, by_share) or by_share
  return out_after <= may_go and members - out_after >= min(min_in_service, members)
end

local function allows(chain, subject, row, max_share, min_in_service)
  local census = census_of(chain)
  local floor_of = min(min_in_service, census.members)
  if subject == row then
    return budget_allows(census.members, census.out + 1, max_share, min_in_service)
      and census.members - census.out - 1 - most_missing_beside(chain, row) >= floor_of
  end
  if not is_member(row) then
    return true
  end
  local counts = of_target(chain, subject.target)
  return budget_allows(census.members - counts.uncounted, counts.out + 1, max_share, min_in_service)
    and (not has(row.flags, SERVES) or census.members - census.out - counts.missing - 1 >= floor_of)
end

-- ---- what everybody is told of, and what time will bring

local function save_version(chain)
  put(chain.hash, 'v', chain.version)
end

-- So many changes are remembered; who has missed more reads everything.
local function announce(chain, row)
  if not chain.version then
    chain.version = number_in(chain, 'v')
  end
  chain.version = chain.version + 1
  chain.save = save_version
  touch(chain)
  call('ZADD', PREFIX .. 'v:' .. chain.id, chain.version, row.field)
  chain.told = true
end

local function publish(chain)
  if chain.told then
    call('ZREMRANGEBYSCORE', PREFIX .. 'v:' .. chain.id, '-inf', chain.version - FEED)
    call('PUBLISH', PREFIX .. 'changes', chain.id)
    call('PEXPIRE', PREFIX .. 'v:' .. chain.id, KEPT_MILLIS)
  end
end

local function await(chain, row)
  if row.due ~= 0 then
    call('ZADD', PREFIX .. 'w:' .. chain.id, row.due, row.field)
    call('PEXPIRE', PREFIX .. 'w:' .. chain.id, KEPT_MILLIS)
  else
    call('ZREM', PREFIX .. 'w:' .. chain.id, row.field)
  end
end

-- Keeps what belongs to a chain alive; every instance asks for what is due, and so does this again and again.
local function keep(chain)
  for _, key in ipairs({chain.hash, ENDS, LEASES, OCCUPIED, PREFIX .. 'f', PREFIX .. 'v:' .. chain.id,
    PREFIX .. 'w:' .. chain.id, PREFIX .. 'z:' .. chain.id, PREFIX .. 'i:' .. chain.id, PREFIX .. 'e:' .. chain.id}) do
    call('PEXPIRE', key, KEPT_MILLIS)
  end
end
