/** `svc config ai`: which language model answers (interface.md 4.4). */
import type { AiChanges } from '@svc/server/language'
import { saveGlobally, saveToProject, settingsAt } from '../engine/ai/save-settings.ts'
import { SvcError } from '../engine/errors.ts'
import { configJson, renderConfig } from '../render/config-ai.ts'
import { type Command, type CommandContext, jsonOption } from './command.ts'

export const configAiCommand: Command = {
  name: 'config ai',
  brief: 'which language model svc ai asks',
  summary: 'Choose the language model of svc ai, in ~/.svc/config or svc.yaml; without options, show it.',
  arguments: [],
  options: [
    {
      name: 'provider',
      value: 'provider',
      summary: 'who answers',
      choices: ['openai', 'anthropic', 'gemini', 'ollama', 'transformers'],
    },
    { name: 'model', value: 'model', summary: "the model, by the provider's name for it" },
    { name: 'api-key', value: 'key', summary: 'a key (never into svc.yaml), or env:NAME' },
    { name: 'endpoint', value: 'url', summary: "another address than the provider's own" },
    { name: 'global', summary: 'save to ~/.svc/config, for all your projects; the default' },
    { name: 'project', summary: 'save to svc.yaml, for everybody who works on the project' },
    jsonOption,
  ],
  examples: [
    {
      line: 'svc config ai --provider openai --model gpt-5 --api-key env:OPENAI_API_KEY',
      says: 'the key stays in the environment',
    },
    { line: 'svc config ai', says: 'what counts here, and where it is written' },
  ],
  exitCodes: { 0: 'done', 2: 'wrong usage, or a file with mistakes', 3: 'cannot write' },
  async run(context) {
    const changes = changesOf(context)
    const { env, cwd, pid } = context.world
    const given = Object.values(changes).some(value => value !== undefined)
    const save = context.options.flag('project')
      ? () => saveToProject(cwd, changes, pid)
      : () => saveGlobally(env, changes, pid)
    refusePlaceAlone(context, given)
    const written = given ? save() : undefined
    const known = settingsAt(cwd, env)
    return {
      exitCode: 0,
      text: style => renderConfig(known, written, env, style),
      json: configJson(known, written, env),
    }
  },
}

function changesOf({ options }: CommandContext): AiChanges {
  if (options.flag('global') && options.flag('project')) {
    throw new SvcError('wrong-usage', '--global cannot be combined with --project', {
      hint: 'Leave one of them out.',
    })
  }
  return {
    provider: options.text('provider'),
    model: options.text('model'),
    api_key: options.text('api-key')?.trim(),
    endpoint: options.text('endpoint')?.trim(),
  }
}

/** `svc config ai --project` looks as if it would save something. */
function refusePlaceAlone({ options }: CommandContext, given: boolean): void {
  if (given || !(options.flag('global') || options.flag('project'))) return
  throw new SvcError('wrong-usage', 'there is nothing to save', {
    hint: 'Give --provider, --model, --api-key or --endpoint; svc config ai alone shows what counts.',
  })
}
