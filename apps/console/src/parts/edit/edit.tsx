import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeSeen, type Match } from '../../api/versions.ts'
import { Act } from '../act.tsx'
import {
  type Changes,
  changedMeanwhile,
  changesOf,
  isEmpty,
  type Names,
  typedUpon,
} from './changes.ts'
import { type Labels, Meanwhile } from './meanwhile.tsx'

type EditProps<Item extends object, Typed extends object, Body extends object, Answer> = {
  /** The button of the page, and the title of the dialog. */
  label: string
  /** The name of the object or setting, where many such buttons stand on a page. */
  of?: string
  text?: ReactNode
  /** The fields of `typed`. */
  children: ReactNode
  /** The object as the page shows it. The form begins with it each time that it is opened. */
  item: Item
  /** Reads the same object anew. */
  read: () => Promise<Item>
  typed: Typed
  setTyped: (typed: Typed) => void
  typedOf: (item: Item) => Typed
  /** Everything that the form may send, of which the members that were changed are sent. */
  bodyOf: (typed: Typed) => Body
  /** The fields as a comparison with the change of another person names them. */
  labels: Labels<Typed>
  /** One call; the option demands the version that the member has seen (D-1092). */
  save: (body: Changes<Body>, match: Match) => Promise<Answer>
  /** The answer is absent if another person has made the same change. */
  onDone?: (answer: Answer | undefined) => void
}

/** The object with which the form began, and what has changed since. */
type Seen<Item, Typed> = {
  item: Item
  typed: Typed
  meanwhile?: { before: Typed; names: Names<Typed> }
}

/**
 * A form that changes an object (D-946). It sends what the member has changed, and demands the
 * version that the member has seen. If another person has changed a field of the form meanwhile,
 * the form stays open and shows that. Saving once more sends the member's own changes.
 */
export function Edit<Item extends object, Typed extends object, Body extends object, Answer>(
  props: EditProps<Item, Typed, Body, Answer>,
) {
  const { label, of, text, children, item, read, typed, setTyped, labels, onDone } = props
  const { typedOf, bodyOf, save } = props
  const { t } = useTranslation()
  const [seen, setSeen] = useState<Seen<Item, Typed>>(() => ({ item, typed: typedOf(item) }))
  const begin = () => {
    setSeen({ item, typed: typedOf(item) })
    setTyped(typedOf(item))
  }
  const changesUpon = (now: Typed) =>
    changesOf(bodyOf(now), bodyOf(typedUpon({ before: seen.typed, now, mine: typed })))
  const show = (fresh: Item): boolean => {
    const now = typedOf(fresh)
    const versions = { before: seen.typed, now, mine: typed }
    const names = changedMeanwhile(labels, versions)
    if (names.length === 0 || isEmpty(changesUpon(now))) return false
    setSeen({ item: fresh, typed: now, meanwhile: { before: seen.typed, names } })
    setTyped(typedUpon(versions))
    return true
  }
  const act = () =>
    changeSeen<Item, Answer | undefined>({
      item: seen.item,
      read,
      isOther: show,
      save: async (match, version) => {
        const changes = changesUpon(typedOf(version))
        return isEmpty(changes) ? undefined : save(changes, match)
      },
    })
  /** The fields that the member has changed, by the names of the form. */
  const changedNames = () =>
    changedMeanwhile(labels, { before: seen.typed, now: typed, mine: seen.typed }).map((name) => {
      const label: string | { label: string } = labels[name]
      return typeof label === 'object' ? label.label : label
    })
  const isIdle = isEmpty(changesUpon(seen.typed))
  const { meanwhile } = seen
  return (
    <Act
      label={label}
      text={text}
      {...(of !== undefined && { of })}
      {...(onDone && { onDone })}
      submit={meanwhile ? t('edit.save_mine') : t('actions.save')}
      leave={meanwhile && t('edit.discard')}
      idle={isIdle ? t('edit.idle') : undefined}
      onOpen={begin}
      act={act}
      said={() => t('said.saved', { names: changedNames().join(t('said.comma')) })}
      meanwhile={
        meanwhile && (
          <Meanwhile
            {...meanwhile}
            {...{ labels, now: seen.typed, mine: typed }}
            onTake={(name) => setTyped({ ...typed, [name]: seen.typed[name] })}
          />
        )
      }
    >
      {children}
    </Act>
  )
}
