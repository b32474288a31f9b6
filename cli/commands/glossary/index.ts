/** The commands of the group `svc glossary`, in the order of help. */
import type { Command } from '../command.ts'
import { addCommands } from './add.ts'
import { editCommand } from './edit.ts'
import { importCommand } from './import.ts'
import { linkTermCommand, unlinkTermCommand } from './link.ts'
import { exportGlossaryCommand, listGlossaryCommand, searchGlossaryCommand } from './look.ts'
import { removeCommand } from './remove.ts'
import { pullCommand, pushCommand } from './sync.ts'

export const glossaryCommands: readonly Command[] = [
  ...addCommands,
  editCommand,
  removeCommand,
  linkTermCommand,
  unlinkTermCommand,
  listGlossaryCommand,
  searchGlossaryCommand,
  importCommand,
  pullCommand,
  pushCommand,
  exportGlossaryCommand,
]
