/** The form of headers that clients choose, for checks and for the documentation. */

/** A structured string (`"abc"`) or a bare word. */
export const idempotencyKeyPattern = '^(?:"([ !#-\\[\\]-~]{1,255})"|([!#-~]{1,255}))$'
