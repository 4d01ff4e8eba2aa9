/** The exports of the driver that its types leave out. */
declare module 'pg/lib/utils.js' {
  const utils: {
    /** A parameter as the protocol has it: text, bytes or nothing. */
    prepareValue: (value: unknown) => Buffer | string | null
  }
  export = utils
}
