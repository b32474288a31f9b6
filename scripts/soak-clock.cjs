// Loaded into svc by soaks: moves its clock by as many milliseconds as the environment says, or as a file says that is read
// again and again, and gives the machine another name.
const { readFileSync } = require('node:fs')
const os = require('node:os')
const { SOAK_CLOCK_SHIFT_MS = '0', SOAK_CLOCK_FILE, SOAK_HOST } = process.env
let shift = Number(SOAK_CLOCK_SHIFT_MS)
if (SOAK_CLOCK_FILE !== undefined) {
  const read = () => {
    shift = Number(readFileSync(SOAK_CLOCK_FILE, 'utf8'))
  }
  read()
  setInterval(read, 200).unref()
}
if (SOAK_HOST !== undefined) os.hostname = () => SOAK_HOST
const RealDate = Date
const now = () => RealDate.now() + shift
globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(now())
    else super(...parts)
  }
  static now() {
    return now()
  }
}
