-- Generates the requests that wrk sends: requests from a file written by wrk.ts, in random order, or requests that
-- create links. If the file has several header sets, each request uses one set and has a random visitor address.
-- Usage: wrk -s wrk.lua URL -- file=PATH seed=NUMBER [create=TAG]
local head, crowd, paths, tag, made = '', {}, {}, nil, 0

local function read(path)
  local in_head = true
  for line in io.lines(path) do
    if not in_head then
      paths[#paths + 1] = 'GET ' .. line .. ' HTTP/1.1\r\n'
    elseif line == '' then
      in_head = false
    elseif line == '-' then
      crowd[#crowd + 1], head = head, ''
    else
      head = head .. line .. '\r\n'
    end
  end
end

function init(args)
  local options = {}
  for _, arg in ipairs(args) do
    local name, value = arg:match('^(%w+)=(.*)$')
    if name then options[name] = value end
  end
  read(options.file)
  tag = options.create
  math.randomseed(tonumber(options.seed))
  if #crowd == 0 then
    for index, path in ipairs(paths) do paths[index] = path .. head .. '\r\n' end
  end
end

local function create()
  made = made + 1
  local body = '{"url":"https://example.com/new/' .. tag .. '/' .. made .. '?utm_source=bench","title":"New"}'
  return 'POST /api/v1/shorten HTTP/1.1\r\n' .. head .. 'Content-Length: ' .. #body .. '\r\n\r\n' .. body
end

-- Returns a header with one of millions of visitor addresses, followed by the end of the request.
local function address()
  local a, b, c, d = math.random(20, 99), math.random(0, 255), math.random(0, 255), math.random(1, 254)
  return 'X-Forwarded-For: ' .. a .. '.' .. b .. '.' .. c .. '.' .. d .. '\r\n\r\n'
end

function request()
  if tag then return create() end
  local path = paths[math.random(#paths)]
  return #crowd > 0 and path .. crowd[math.random(#crowd)] .. address() or path
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format(
    '{"answered":%d,"seconds":%.4f,"p50":%.4f,"p99":%.4f,"failed":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, failed
  ))
end
