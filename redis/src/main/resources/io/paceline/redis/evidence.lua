-- What is counted about an address or a cell: core's Row, and of an address its Latencies.
--
-- The window is a word of letters, newest first: S a success, F a fault, C a captcha. Rows that have seen nothing have no
-- evidence at all.
--# NONE, SUCCESS, FAULT, CAPTCHA = 0, 1, 2, 3
--# NEVER = -2 ^ 62
--# EVIDENCE = '<BBdi4i4dBi4i4i4i4fdB'

local function pack_evidence(row)
  local e = row.evidence
  return pack(EVIDENCE, e.owed, e.stretch, e.since, e.counted, e.counted_faults, e.step, e.in_step, e.address_epoch,
    e.fails, e.wins_in_row, e.wins, e.latency, e.last_fault, #e.window) .. e.window .. e.marks .. e.latencies
end

local function evidence_of(row)
  local e = row.evidence
  if e then
    return e
  end
  e = {}
  if row.tail == '' then
    e.owed, e.stretch, e.since, e.counted, e.counted_faults, e.step, e.in_step, e.address_epoch = 0, 0, 0, 0, 0, 0, 0, 0
    e.fails, e.wins_in_row, e.wins, e.latency, e.last_fault, e.window, e.latencies = 0, 0, 0, 0, NEVER, '', ''
    e.marks = row.owner and rep('\0', 16) or ''
  else
    local size
    e.owed, e.stretch, e.since, e.counted, e.counted_faults, e.step, e.in_step, e.address_epoch, e.fails, e.wins_in_row,
      e.wins, e.latency, e.last_fault, size = read(EVIDENCE, row.tail)
    e.window = sub(row.tail, 57, 56 + size)
    e.marks = row.owner and sub(row.tail, 57 + size, 72 + size) or ''
    e.latencies = row.owner and sub(row.tail, 73 + size) or ''
  end
  row.evidence, row.pack = e, pack_evidence
  return e
end

local function push(e, mark, sign)
  e.window = sub(sign .. e.window, 1, WINDOW_SIZE)
  if e.marks ~= '' then
    e.marks = sub(mark .. e.marks, 1, 16)
  end
  if sign == 'S' then
    e.owed = max(0, e.owed - 1)
  else
    e.owed = min(MOST_SUCCESSES, e.owed + SUCCESSES_A_FAULT)
  end
  e.stretch = e.owed == 0 and 0 or min(WINDOW_SIZE, e.stretch + 1)
end

-- Adds an outcome; false where it is one more failure of a burst inside one instant, which is one signal.
local function observe(row, mark, what, latency)
  if what == NONE then
    return false
  end
  local e = evidence_of(row)
  if what == SUCCESS then
    row.revision = row.revision + 1
    push(e, mark, 'S')
    e.fails, e.wins_in_row, e.wins = 0, e.wins_in_row + 1, e.wins + 1
    if latency >= 0 then
      e.latency = averaged(e.latency, latency)
    end
    touch(row)
    return true
  end
  if now - e.last_fault < INSTANT then
    return false
  end
  row.revision = row.revision + 1
  e.last_fault = now
  if e.owed == 0 then
    e.since, e.counted, e.counted_faults = now, 0, 0
  end
  push(e, mark, what == CAPTCHA and 'C' or 'F')
  e.fails, e.wins_in_row = e.fails + 1, 0
  touch(row)
  return true
end

-- Without a failure at the end of what is remembered: its outcomes tell what is usual.
local function is_good(row)
  return evidence_of(row).fails == 0 and has(row.flags, SERVES)
end

-- A success took so long, and so many times what its target takes through all.
local function took(row, micros, relative)
  local e = evidence_of(row)
  e.latencies = timed(e.latencies, has(row.flags, HEALTHY), micros, relative)
  touch(row)
end

-- ---- what a change of standing makes forgotten

local function clear_latencies(e, all)
  if e.latencies ~= '' then
    local _, norm, p50, p95, jump = read('<Bffff', e.latencies, 2 * BUCKETS + 1)
    if all then
      p50, p95, jump = 0, 0, 0
    end
    e.latencies = rep('\0', 2 * BUCKETS) .. pack('<Bffff', 0, norm, p50, p95, jump)
  end
end

local function forget(row)
  local e = evidence_of(row)
  e.window, e.owed, e.stretch, e.since, e.counted, e.counted_faults = '', 0, 0, 0, 0, 0
  e.fails, e.wins_in_row, e.latency, e.last_fault = 0, 0, 0, NEVER
  if row.owner then
    e.marks = rep('\0', 16)
    clear_latencies(e, true)
  end
end

-- Of a cell: what it knows from before its address went out of service, or came back, says nothing any more.
local function of_address_epoch(cell, epoch)
  local e = evidence_of(cell)
  if e.address_epoch ~= epoch then
    e.address_epoch = epoch
    forget(cell)
    touch(cell)
  end
end

-- Of a cell: whether the tallies count one more of its outcomes in this step.
local function may_be_counted(cell)
  local e, step = evidence_of(cell), floor(now / STEP)
  if step ~= e.step then
    e.step, e.in_step = step, 0
  end
  touch(cell)
  if e.in_step >= MOST_PER_STEP then
    return false
  end
  e.in_step = e.in_step + 1
  return true
end

local function counted(row, fault)
  local e = evidence_of(row)
  e.counted, e.counted_faults = e.counted + 1, e.counted_faults + (fault and 1 or 0)
  touch(row)
end
