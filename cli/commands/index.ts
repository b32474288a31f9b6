/** All commands by section. Help, routing and the documentation use this list. */
import { agentsCommand } from './agents.ts'
import { aiApplyCommand } from './ai-apply.ts'
import { aiContextCommand } from './ai-context.ts'
import { aiExplainCommand, aiReviewCommand } from './ai-explain.ts'
import { aiFixCommand, aiNewCommand, aiTestsCommand } from './ai-propose.ts'
import { backupCommand } from './backup.ts'
import type { Command } from './command.ts'
import { compileCommand } from './compile.ts'
import { completionCommand } from './completion.ts'
import { configAiCommand } from './config-ai.ts'
import { createAssetCommand } from './create-asset.ts'
import { discoverCommand } from './discover.ts'
import { doctorCommand } from './doctor.ts'
import { explainCommand } from './explain.ts'
import { fmtCommand } from './fmt.ts'
import { freshnessCommand } from './freshness.ts'
import { gcCommand } from './gc.ts'
import { glossaryCommands } from './glossary/index.ts'
import { importDbtCommand } from './import-dbt.ts'
import { initCommand } from './init.ts'
import { inspectCommand } from './inspect.ts'
import { lineageCommand } from './lineage.ts'
import { logsCommand } from './logs.ts'
import { lsCommand } from './ls.ts'
import { lspCommand } from './lsp.ts'
import { manifestCommand } from './manifest.ts'
import { mcpCommand } from './mcp.ts'
import { metricCommand } from './metric.ts'
import { notifyTestCommand } from './notify-test.ts'
import { planCommand } from './plan.ts'
import { policyReportCommand } from './policy-report.ts'
import { promoteCommand } from './promote.ts'
import { publishCommand } from './publish.ts'
import { queryCommand } from './query.ts'
import { rejectsCommand } from './rejects.ts'
import { retryCommand } from './retry.ts'
import { rollbackCommand } from './rollback.ts'
import { previewCommand, runCommand } from './run.ts'
import { sampleCommand } from './sample.ts'
import { schemaCommand } from './schema.ts'
import { statusCommand } from './status.ts'
import { testCommand } from './test.ts'
import { uiCommand } from './ui.ts'
import { uploadCommand } from './upload.ts'
import { validateCommand } from './validate.ts'
import { versionsCommand } from './versions.ts'

export interface CommandSection {
  readonly title: string
  readonly commands: readonly Command[]
}

export const commandSections: readonly CommandSection[] = [
  {
    title: 'Begin',
    commands: [initCommand, createAssetCommand, discoverCommand, importDbtCommand, doctorCommand],
  },
  {
    title: 'Check',
    commands: [
      validateCommand,
      fmtCommand,
      planCommand,
      lsCommand,
      inspectCommand,
      compileCommand,
      explainCommand,
    ],
  },
  {
    title: 'Deploy',
    commands: [
      runCommand,
      previewCommand,
      promoteCommand,
      rollbackCommand,
      retryCommand,
      publishCommand,
      gcCommand,
      backupCommand,
    ],
  },
  {
    title: 'Look',
    commands: [
      uiCommand,
      lineageCommand,
      statusCommand,
      versionsCommand,
      sampleCommand,
      queryCommand,
      testCommand,
      rejectsCommand,
      freshnessCommand,
      logsCommand,
      notifyTestCommand,
    ],
  },
  { title: 'Glossary', commands: [...glossaryCommands, metricCommand, policyReportCommand] },
  {
    title: 'Language models',
    commands: [
      aiContextCommand,
      aiExplainCommand,
      aiReviewCommand,
      aiNewCommand,
      aiFixCommand,
      aiTestsCommand,
      aiApplyCommand,
      configAiCommand,
    ],
  },
  {
    title: 'For programs',
    commands: [
      manifestCommand,
      uploadCommand,
      schemaCommand,
      completionCommand,
      lspCommand,
      mcpCommand,
      agentsCommand,
    ],
  },
]

/**
 * These commands are also available in the group `svc asset`, with identical behaviour (interface.md 4.4).
 */
const inAssetGroup = [runCommand, rollbackCommand, statusCommand, sampleCommand, versionsCommand]

export const assetGroup: readonly Command[] = inAssetGroup.map(command => ({
  ...command,
  name: `asset ${command.name}`,
}))

export const allCommands: readonly Command[] = [
  ...commandSections.flatMap(section => section.commands),
  ...assetGroup,
]
