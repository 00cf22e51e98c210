-- What is asked of sessions beside admission.
--
-- ARGV  1 verb: end, repin, see, count or page  2 chain  3 key, or where a page begins  4 most
local verb, of, id = ARGV[1], ARGV[2], ARGV[3]
local index = PREFIX .. 'i:' .. of

local function seen(session)
  return {session.id, session.chain, session.slot, is_present(session) and 1 or 0, session.live, session.expires,
    session.confirmed and 1 or 0, session.repinned and 1 or session.ended and 2 or 0}
end

local verbs = {}

verbs['end'] = function()
  local known_before = call('DEL', PREFIX .. 's:' .. of .. ':' .. id)
  call('ZREM', index, id)
  return known_before
end

verbs.repin = function()
  local session = live_session(of, id)
  if session then
    session.repinned, session.ended = true, false
    touch(session)
  end
  return session and 1 or 0
end

verbs.see = function()
  local session = live_session(of, id)
  return session and seen(session) or {}
end

verbs.count = function()
  return call('ZCOUNT', index, string.format('(%.0f', now), '(+inf')
end

verbs.page = function()
  local from, most = tonumber(id), tonumber(ARGV[4])
  local found = call('ZRANGEBYSCORE', index, string.format('(%.0f', now), '(+inf', 'LIMIT', from, most)
  local answer = {#found < most and -1 or from + most}
  for i = 1, #found do
    local session = live_session(of, found[i])
    if session then
      answer[#answer + 1] = seen(session)
    end
  end
  return answer
end

begin()
flush()
local answer = verbs[verb]()
flush()
return type(answer) == 'number' and {answer} or answer
