/**
 * `svc validate`: reports every problem of every file at once, with PASS or FAIL per file (interface.md 4.4,
 * decisions 3).
 */
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { type Diagnostic, didYouMean, glossaryPath, schemaLockPath } from '@svc/server/language'
import { settingsFile } from '../engine/config/find-project.ts'
import { SvcError } from '../engine/errors.ts'
import { problemsOnAllEngines, uncheckedEnvironments } from '../engine/workspace/engine-problems.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { problemsOf } from '../engine/workspace/problems.ts'
import type { Style } from '../render/style.ts'
import {
  type CheckedFile,
  hasError,
  renderExplainHint,
  renderValidation,
  type ValidationReport,
  validationJson,
  validationLines,
} from '../render/validation.ts'
import { type Command, type CommandContext, environmentOption, jsonOption, reportOf } from './command.ts'

export const validateCommand: Command = {
  name: 'validate',
  brief: 'every problem of every file',
  summary: 'Check every file: YAML, keys, template tags, references, SQL, columns, types, credentials.',
  arguments: [
    {
      name: 'path',
      summary: 'files, folders or assets to report on; all by default',
      variadic: true,
    },
  ],
  options: [
    {
      name: environmentOption.name,
      value: 'name',
      summary: 'environment whose engine is meant; all by default',
    },
    { name: 'quiet', short: 'q', summary: 'only files that FAIL' },
    {
      name: 'format',
      value: 'format',
      summary: 'how it is printed; lines: path:line:column: severity: message, one problem a line',
      choices: ['text', 'json', 'lines'],
      default: 'text',
    },
    { ...jsonOption, summary: 'the same as --format json' },
  ],
  examples: [
    { line: 'svc validate', says: 'all files' },
    { line: 'svc validate models/marts --quiet', says: 'one folder, failures only' },
  ],
  exitCodes: {
    0: 'every file passed',
    1: 'a file failed',
    2: 'wrong usage or no project',
    3: 'a file cannot be read',
  },
  async run(context) {
    const started = context.world.now().getTime()
    const workspace = await context.openWorkspace()
    const isOfOne = context.options.text('env') !== undefined
    const problems = isOfOne ? await problemsOf(workspace) : await problemsOnAll(context, workspace)
    const files = checkedFiles(workspace, problems, context.rest)
    const report: ValidationReport = {
      files,
      seconds: (context.world.now().getTime() - started) / 1000,
    }
    const textOf = (path: string) => workspace.textOf(path)
    const render = (_: ValidationReport, style: Style) =>
      context.options.text('format') === 'lines'
        ? validationLines(report, textOf)
        : [
            ...renderValidation(report, textOf, context.options.flag('quiet'), style),
            // One line for people; logs and pipes have the codes.
            ...(context.output.out.isTerminal ? renderExplainHint(report, style) : []),
          ]
    return reportOf(report, render, () => validationJson(report, textOf), files.some(hasError) ? 1 : 0)
  },
}

/** Returns the problems on the engines of all environments, and says which of these are not known. */
function problemsOnAll({ output, openWorkspace }: CommandContext, workspace: OpenedWorkspace) {
  const unchecked = uncheckedEnvironments(workspace.project.settings).join(', ')
  const why = 'the variable that has the address of the warehouse is not set.'
  if (unchecked !== '') output.err.lines([`Not checked for ${unchecked}: ${why}`])
  return problemsOnAllEngines(workspace, environment => openWorkspace({ environment }))
}

/** Returns one entry per file; `svc.yaml`, `glossary.yaml`, the lock and SQL files are listed only if they have problems. */
function checkedFiles(
  workspace: OpenedWorkspace,
  problems: ReadonlyMap<string, readonly Diagnostic[]>,
  paths: readonly string[],
): CheckedFile[] {
  const wanted = wantedPaths(workspace, paths)
  const { assets, macros, settings } = workspace.project
  const others = new Set([
    ...[settingsFile, glossaryPath, schemaLockPath],
    ...[...macros.files.keys(), ...settings.ownTests.files.keys()],
    // A file that was not read is no asset.
    ...[...problems.keys()].filter(path => !assets.has(path)),
  ])
  const all = [...[...others].filter(path => (problems.get(path) ?? []).length > 0), ...assets.keys()]
  const chosen = all.filter(path => wanted.length === 0 || wanted.some(prefix => isWithin(path, prefix)))
  if (chosen.length === 0 && wanted.length > 0) {
    const named = paths.map(path => `"${path}"`).join(', ')
    const question = didYouMean(paths[0] ?? '', workspace.project.byName.keys())
    throw new SvcError('wrong-usage', `no .svc file at ${named}${question}`, {
      hint: `The project's files are below ${workspace.project.settings.models}.`,
    })
  }
  return chosen.map(path => ({ path, diagnostics: problems.get(path) ?? [] }))
}

/** Converts paths relative to the working directory to paths relative to the root. */
function wantedPaths(workspace: OpenedWorkspace, paths: readonly string[]): string[] {
  const { byName } = workspace.project
  return paths.map(path => {
    if (path === '')
      throw new SvcError('wrong-usage', 'the path is empty', { hint: 'Leave it out for all files.' })
    const fromHere = relative(workspace.root, resolve(workspace.world.cwd, path)).replaceAll('\\', '/')
    // A folder above the project means the whole project.
    if (/^(\.\.\/)*\.\.$/.test(fromHere)) return ''
    // The name of an asset means its file, where no file or folder is called so.
    const named = byName.get(path)
    return named === undefined || existsSync(join(workspace.root, fromHere)) ? fromHere : named.path
  })
}

function isWithin(path: string, prefix: string): boolean {
  return prefix === '' || path === prefix || path.startsWith(`${prefix}/`)
}
