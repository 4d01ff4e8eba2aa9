/** The end of a picture: padding behind it, and what phones add, is cut (D-1007). */

import { PICTURES_MAX, walkBmp, walkJpeg, walkPng } from '../rules/images.ts'
import type { Kind } from '../rules/kinds.ts'
import type { Marks } from '../rules/traces.ts'
import { readTrailer } from '../rules/trailers.ts'
import { CUT_SHORT, inspectorOf, TRAILING, type WalkInspector } from '../rules/walk.ts'
import { readSpans, type Stored } from './archive.ts'
import { FileFault } from './faults.ts'

const walks = { jpeg: walkJpeg, png: walkPng, bmp: walkBmp } as const

export function inspectorOfPicture(kind: Kind): WalkInspector | undefined {
  return kind in walks ? inspectorOf(walks[kind as keyof typeof walks]()) : undefined
}

/** The first picture has been walked through; further ones are read again from the store. */
export async function endOfPicture(
  kind: Kind,
  first: WalkInspector,
  stored: Stored,
  { solid }: Pick<Marks, 'solid'>,
): Promise<number> {
  let end = lengthOf(first)
  for (let pictures = 1; pictures <= PICTURES_MAX; pictures++) {
    const found = await readSpans(readTrailer({ end, solid, size: stored.size }), stored)
    if (found === 'padding') return end
    if (found === 'other' || kind !== 'jpeg') break
    end = found.picture + (await lengthOfNext(found.picture, stored))
  }
  throw new FileFault(TRAILING)
}

async function lengthOfNext(start: number, { size, read }: Stored): Promise<number> {
  const inspector = inspectorOf(walkJpeg())
  for await (const chunk of read({ start, end: size })) {
    const fault = inspector.take(chunk)
    if (fault !== undefined) throw new FileFault(fault)
    if (inspector.isDone()) break
  }
  return lengthOf(inspector)
}

function lengthOf(inspector: WalkInspector): number {
  if (inspector.isDone()) return inspector.length()
  throw new FileFault(inspector.end() ?? CUT_SHORT)
}
