/** The fields of forms. A fault of what was sent stands beside its field (D-1160). */

import {
  NativeSelect as MantineSelect,
  Textarea as MantineTextarea,
  TextInput as MantineTextInput,
  type NativeSelectProps,
  type TextareaProps,
  type TextInputProps,
} from '@mantine/core'
import { useFault } from './faults.ts'

type Pathed = {
  /** The member of the body that the field is; `useForm` names it by itself. */
  path?: string
  'data-path'?: string
}

/** The fault of the field, and the props that are left for it. */
function useOwnFault<Props extends Pathed & { error?: unknown }>({ path, ...rest }: Props) {
  const fault = useFault(path ?? rest['data-path'])
  // An own check of the form comes before what the server has said of an earlier value.
  return { ...rest, error: (rest.error as TextInputProps['error']) || fault }
}

export const TextInput = (props: TextInputProps & Pathed) => (
  <MantineTextInput {...useOwnFault(props)} />
)

export const Textarea = (props: TextareaProps & Pathed) => (
  <MantineTextarea {...useOwnFault(props)} />
)

export const NativeSelect = (props: NativeSelectProps & Pathed) => (
  <MantineSelect {...useOwnFault(props)} />
)
