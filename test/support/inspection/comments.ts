/** Comments of TypeScript, as sentences. */

/** A block, lines of comments that follow each other, or the end of a line of code. */
const COMMENT = /(?<=^|[\s{(])\/\*\*?\s[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+|(?<=\s)\/\/ .*$/gm
/** The marks of a comment, of an item of a list and of a tag, and spaces beside them. */
const MARKS = /^\s*(?:\/\*\*?|\*\/|\*|\/\/)?\s*(?:- |@\w+ )?|\s*\*\/\s*$/g
/** The space after the end of a sentence, or of a clause that could be one. */
const END = /(?<=[.?!:;]\)?) /

export type Sentence = { line: number; text: string; isClause: boolean }

/** Sentences and clauses of every comment; the line is that on which the comment begins. */
export function sentencesOf(source: string): Sentence[] {
  return [...source.matchAll(COMMENT)].flatMap(({ 0: comment, index }) => {
    const line = source.slice(0, index).split('\n').length
    const lines = comment.split('\n').map((one) => one.replace(MARKS, ''))
    const paragraphs = lines.join('\n').split(/\n{2,}/)
    return paragraphs.flatMap((paragraph) =>
      paragraph
        .replaceAll('\n', ' ')
        .trim()
        .split(END)
        .map((text, at, all) => ({ line, text, isClause: /[:;]\)?$/.test(all[at - 1] ?? '') })),
    )
  })
}

/** The text without its blocks of comments and lines that are comments. */
export const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
