/** What ends a drill: printed as its message alone. Nothing is written then. */
export class DrillFault extends Error {}
