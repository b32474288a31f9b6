-- Attaches `svc lsp --stdio` in a headless Neovim, waits for diagnostics, and prints them as JSON.
-- Environment: SVC_NODE, SVC_LAUNCHER, SVC_ROOT, SVC_FILE.
local client_id = vim.lsp.start_client({
  name = 'svc',
  cmd = { vim.env.SVC_NODE, vim.env.SVC_LAUNCHER, 'lsp', '--stdio' },
  root_dir = vim.env.SVC_ROOT,
})
vim.cmd('edit ' .. vim.env.SVC_FILE)
vim.lsp.buf_attach_client(0, client_id)

local function told(count)
  vim.wait(20000, function() return #vim.diagnostic.get(0) == count end, 20)
  local found = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, {
      code = each.code or each.user_data.lsp.code,
      source = each.source,
      line = each.lnum,
      column = each.col,
      last = each.end_col,
    })
  end
  return found
end

local before = told(tonumber(vim.env.SVC_COUNT))
local function request(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
  for _, answer in pairs(answers or {}) do return answer.result end
end
local document = { uri = vim.uri_from_bufnr(0) }
local hover = request('textDocument/hover', { textDocument = document, position = { line = 3, character = 10 } })
vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'name: broken', 'ingest: none', 'transform: SELECT 1 AS id' })
local after = told(0)
io.stdout:write(vim.fn.json_encode({ before = before, after = after, hover = hover and hover.contents.kind }) .. '\n')
vim.lsp.stop_client(client_id)
vim.cmd('quitall!')
