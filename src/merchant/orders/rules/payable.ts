/** When what has succeeded is paid out, and of which day it is (D-735). */

import { formatDate } from '#lib/time.ts'
import { windowOf } from '#lib/window.ts'

/** The end of the day, in UTC as all times of this API. */
export const payableFrom = (booked: Date): Date => windowOf('DAILY', booked, 'UTC').end

/** The day, YYYY-MM-DD, of which everything is payable from an instant that `payableFrom` gave. */
export const dayBefore = (payable: Date): string => formatDate(new Date(payable.getTime() - 1))
