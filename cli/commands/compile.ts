/** `svc compile <asset>`: the SQL of an asset with its tags resolved (decisions 9). */
import { readerSql } from '@svc/server/language'
import { refuseErrors } from '../engine/run/refuse-errors.ts'
import { type CompileReport, compileJson, renderCompiled } from '../render/compile.ts'
import { type Command, environmentOption, jsonOption, reportOf } from './command.ts'
import { assetArgument, assetNamed } from './nearest-asset.ts'

export const compileCommand: Command = {
  name: 'compile',
  brief: 'the SQL of an asset, with its tags resolved',
  summary:
    'Print the SQL of an asset as a reader of production would write it: tags, variables and macros resolved.',
  arguments: [assetArgument],
  options: [environmentOption, jsonOption],
  examples: [
    { line: 'svc compile daily_sales', says: 'the SQL over the views of dev' },
    { line: 'svc compile daily_sales --env prod > daily_sales.sql', says: 'that of prod, into a file' },
  ],
  exitCodes: {
    0: 'done',
    1: 'the asset has errors, or no SQL',
    2: 'wrong usage, no project or unknown asset',
    3: 'a file failed',
  },
  async run(context) {
    const workspace = await context.openWorkspace()
    const { project, environment } = workspace
    const asset = workspace.asset(assetNamed(workspace, context.arguments[0] ?? ''))
    const analysis = await workspace.analysis()
    refuseErrors(asset, analysis.of(asset.name)?.diagnostics ?? [])
    const report: CompileReport = {
      asset: asset.name,
      path: asset.path,
      environment: environment.name,
      sql: readerSql(asset, project, environment)?.trim() ?? '',
      hasSource: asset.sql?.tags.some(({ kind }) => kind === 'source') === true,
    }
    return reportOf(report, renderCompiled, compileJson)
  },
}
