/** The error that ends a drill: only its message is printed, and no page is written. */
export class DrillFault extends Error {}
