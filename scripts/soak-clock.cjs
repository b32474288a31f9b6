// Loaded into svc by the soak: moves its clock by as many milliseconds as the environment says.
const shift = Number(process.env.SOAK_CLOCK_SHIFT_MS ?? 0)
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
