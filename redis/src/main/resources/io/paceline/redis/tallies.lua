-- What targets, watched tags and the pool of one chain have seen: core's Tally. A field each of the chain's hash: guilty
-- since, newest step, four sums of what is usual and their time, what is typical; 12 steps and 12 of the good ones, newest
-- first. The outcomes one by one are a list beside it, 18 octets each: every outcome adds one, and few are asked for them.
local POOL = rep('\0', 8)
--# NO_SIGN, SIGN_SUCCESS, UNREACHED, CAPTCHA_SIGN = 0, 1, 2, 4
--# HEADER, SLACK = 60, 16
local STEPS_SIZE = 8 * STEPS

local tallies = {}

local function save_tally(tally)
  put(tally.hash, tally.field, pack('<dddddddf', tally.guilty, tally.newest, tally.usual, tally.unreached, tally.faults,
    tally.captchas, tally.usual_at, tally.typical) .. tally.steps .. tally.good)
end

local function most_entries(id)
  return id == POOL and POOL_ENTRIES or ENTRIES
end

local function parse_tally(hash, id, raw)
  local tally = {id = id, hash = hash, field = 't' .. id, list = PREFIX .. 'n:' .. sub(hash, -8) .. id, save = save_tally}
  if raw then
    tally.guilty, tally.newest, tally.usual, tally.unreached, tally.faults, tally.captchas, tally.usual_at, tally.typical =
      read('<dddddddf', raw)
    tally.steps, tally.good = sub(raw, HEADER + 1, HEADER + STEPS_SIZE), sub(raw, HEADER + STEPS_SIZE + 1, HEADER + 2 * STEPS_SIZE)
  else
    tally.guilty, tally.newest, tally.usual, tally.unreached, tally.faults, tally.captchas, tally.usual_at, tally.typical =
      0, floor(now / STEP), 0, 0, 0, 0, now, 0
    tally.steps, tally.good = rep('\0', STEPS_SIZE), rep('\0', STEPS_SIZE)
  end
  return tally
end

-- What is known of it; false where nothing is.
local function tally_if_known(chain, id)
  local key = chain.id .. id
  local tally = tallies[key]
  if tally == nil then
    local raw = call('HGET', chain.hash, 't' .. id)
    tally = raw and parse_tally(chain.hash, id, raw) or false
    tallies[key] = tally
  end
  return tally
end

local function tally_of(chain, id)
  local tally = tally_if_known(chain, id)
  if not tally then
    tally = parse_tally(chain.hash, id, nil)
    tallies[chain.id .. id] = tally
    touch(tally)
  end
  return tally
end

local function roll(tally)
  local step = floor(now / STEP)
  local passed = min(STEPS, step - tally.newest)
  if passed > 0 then
    tally.steps = rep('\0', 8 * passed) .. sub(tally.steps, 1, STEPS_SIZE - 8 * passed)
    tally.good = rep('\0', 8 * passed) .. sub(tally.good, 1, STEPS_SIZE - 8 * passed)
    tally.newest = step
  end
end

local function fade(tally)
  local factor = faded(tally.usual, tally.usual_at)
  if factor then
    tally.usual, tally.unreached = tally.usual * factor, tally.unreached * factor
    tally.faults, tally.captchas = tally.faults * factor, tally.captchas * factor
    tally.usual_at = now
  end
end

local function add_step(steps, unreached, fault, captcha)
  local n, u, f, c = read('<HHHH', steps)
  return pack('<HHHH', n + 1, u + unreached, f + fault, c + captcha) .. sub(steps, 9)
end

local function add_to(tally, entry, sign, good)
  local fault = sign >= UNREACHED and 1 or 0
  local unreached, captcha = sign == UNREACHED and 1 or 0, sign == CAPTCHA_SIGN and 1 or 0
  local size, step = call('LPUSH', tally.list, entry), tally.newest
  if size > most_entries(tally.id) + SLACK then
    call('LTRIM', tally.list, 0, most_entries(tally.id) - 1)
  end
  roll(tally)
  if size == 1 or tally.newest ~= step then
    call('PEXPIRE', tally.list, KEPT_MILLIS)
  end
  if read('<H', tally.steps) < 65535 then
    tally.steps = add_step(tally.steps, unreached, fault, captcha)
    if good then
      tally.good = add_step(tally.good, unreached, fault, captcha)
    end
  end
  if good and tally.guilty == 0 then
    fade(tally)
    tally.usual, tally.unreached = tally.usual + 1, tally.unreached + unreached
    tally.faults, tally.captchas = tally.faults + fault, tally.captchas + captcha
  end
  touch(tally)
end

-- The tallies that an outcome concerns, in the order in which they are told: target, pool, tags of the address.
local function concerned(chain, row, target)
  local all = {tally_of(chain, target), tally_of(chain, POOL)}
  for from = 9, 17, 8 do
    local tag = sub(row.owner, from, from + 7)
    if tag ~= POOL then
      all[#all + 1] = tally_of(chain, tag)
    end
  end
  return all
end

local function add_all(chain, row, target, mark, sign, good)
  local proven = sign == SIGN_SUCCESS or string.find(evidence_of(row).window, 'S', 1, true) ~= nil
  local slot = row.slot % 524288
  local tag, other = read('<HH', row.owner, 25)
  local entry = pack('<BHBHHHd', sign + (good and 8 or 0) + (proven and 16 or 0), slot % 65536, floor(slot / 65536), mark,
    tag, other, now)
  local all = concerned(chain, row, target)
  for i = 1, #all do
    add_to(all[i], entry, sign, good)
  end
end

-- A success took so long; how many times what is typical of its target that is.
local function relative_latency(tally, micros)
  local relative
  tally.typical, relative = typical_of(tally.typical, micros)
  touch(tally)
  return relative
end

local function is_guilty(chain, id)
  local tally = tally_if_known(chain, id)
  return tally and tally.guilty ~= 0
end

-- How many of the chain's tallies are guilty.
local function guilty_count(chain)
  if not chain.guilty then
    chain.guilty = tonumber(call('HGET', chain.hash, 'g') or 0)
  end
  return chain.guilty
end

-- Whether a failure is that of a guilty group: then it is not held against the address or the cell.
local function excused(chain, row, target)
  if guilty_count(chain) == 0 then
    return false
  end
  return is_guilty(chain, POOL) or is_guilty(chain, target)
    or has(row.flags, SERVES) and (is_guilty(chain, sub(row.owner, 9, 16)) or is_guilty(chain, sub(row.owner, 17, 24)))
end

local function raw_tally(tally)
  roll(tally)
  return tally.id .. pack('<dddddddf', tally.guilty, tally.newest, tally.usual, tally.unreached, tally.faults, tally.captchas,
    tally.usual_at, tally.typical) .. tally.steps .. tally.good
    .. table.concat(call('LRANGE', tally.list, 0, most_entries(tally.id) - 1))
end

local function told(chain, row, target)
  local all = concerned(chain, row, target)
  for i = 1, #all do
    all[i] = raw_tally(all[i])
  end
  return all
end
