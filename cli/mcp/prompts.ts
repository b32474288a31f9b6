/** Tasks that a person starts from the menu of an editor: each says which tools to use, in which order. */
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server'

interface Task {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly text: (asset: string) => string
}

const tasks: readonly Task[] = [
  {
    name: 'explain',
    title: 'Explain an asset',
    description: 'What an asset does, where its data comes from and who reads it.',
    text: asset =>
      `Explain the data asset "${asset}" to a colleague who is new. Call get_context with asset "${asset}" and include_tests. Say in plain words what a row is, where each column comes from, what is promised and tested, and who reads it. Name what is missing or doubtful.`,
  },
  {
    name: 'review',
    title: 'Review an asset',
    description: 'What a strict colleague would say of an asset and of what a change breaks.',
    text: asset =>
      `Review the data asset "${asset}" as a strict colleague would. Call validate, get_context with asset "${asset}" and include_tests, and plan with select "${asset}+". Look for wrong joins and grain, NULLs, personal data, missing tests and contracts, and readers that a change breaks. List findings by weight, each with its file and line.`,
  },
  {
    name: 'fix',
    title: 'Fix an asset',
    description: 'Find out why an asset fails, and propose a patch.',
    text: asset =>
      `Find out why the data asset "${asset}" fails. Call validate, and run_log for the last run; explain_code for codes that are not clear; get_context with asset "${asset}". Propose the smallest patch that fixes the cause, and check it with check_patch. Never remove or weaken a test, a contract, a mask or an exclusion to make it pass: say so instead if one of them is wrong.`,
  },
  {
    name: 'tests',
    title: 'Tests that an asset lacks',
    description: 'Propose unit tests and data tests.',
    text: asset =>
      `Propose tests for the data asset "${asset}". Call get_context with asset "${asset}" and include_tests, then sample with asset "${asset}" to see what values look like. Write unit tests for what its SQL decides, and data tests for what it promises, as a patch, and check it with check_patch. Use values of your own, never those of a sample.`,
  },
]

const asset = fromJsonSchema<{ asset: string }>({
  type: 'object',
  properties: { asset: { type: 'string', minLength: 1, maxLength: 300, description: 'Name of the asset.' } },
  required: ['asset'],
})

export function addPrompts(server: McpServer): void {
  for (const { name, title, description, text } of tasks) {
    server.registerPrompt(name, { title, description, argsSchema: asset }, input => ({
      messages: [{ role: 'user', content: { type: 'text', text: text(input.asset) } }],
    }))
  }
}
