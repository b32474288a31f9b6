/** `svc completion <shell>`: prints a script with which the shell asks svc for completions. */

import { didYouMean } from '@svc/server/language'
import { SvcError } from '../engine/errors.ts'
import type { Command } from './command.ts'
import { completionScripts } from './completion-scripts.ts'

export const completionCommand: Command = {
  name: 'completion',
  brief: 'completion for bash, zsh or fish',
  summary: 'Print a script that completes commands, options, assets, selectors and run ids in your shell.',
  arguments: [{ name: 'shell', summary: 'bash, zsh or fish', required: true }],
  options: [],
  examples: [
    { line: 'svc completion bash > ~/.svc-completion', says: 'then source it in ~/.bashrc' },
    { line: 'svc completion fish > svc.fish', says: 'for ~/.config/fish/completions' },
  ],
  exitCodes: { 0: 'done', 2: 'no such shell' },
  async run(context) {
    const shell = context.arguments[0] ?? ''
    const known = Object.keys(completionScripts)
    const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined
    if (script === undefined) {
      throw new SvcError('wrong-usage', `no completion for "${shell}"${didYouMean(shell, known)}`, {
        hint: `There is one for ${known.join(', ')}.`,
      })
    }
    return { exitCode: 0, text: () => script.trimEnd().split('\n') }
  },
}
