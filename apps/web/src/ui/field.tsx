import { useId, type ChangeEvent, type KeyboardEvent } from 'react';

export interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  /** What is wrong with the value; the field is then invalid. */
  readonly problem?: string;
  readonly type?: 'text' | 'email' | 'url' | 'password' | 'search';
  readonly autoComplete?: string;
  readonly rows?: number;
  readonly maxLength?: number;
  readonly autoFocus?: boolean;
  /** Marks that keep browsers, extensions and password managers from reading, correcting or sending the value. */
  readonly isSecret?: boolean;
}

const secretMarks = {
  spellCheck: 'false',
  autoCorrect: 'off',
  autoCapitalize: 'off',
  translate: 'no',
  'data-gramm': 'false',
  'data-gramm_editor': 'false',
  'data-enable-grammarly': 'false',
  'data-lt-active': 'false',
  'data-1p-ignore': 'true',
  'data-lpignore': 'true',
  'data-bwignore': 'true',
  'data-form-type': 'other',
} as const;

/** Ctrl-Enter, or ⌘-Enter: Enter alone begins a line. */
function submitByKeys({ key, ctrlKey, metaKey, currentTarget }: KeyboardEvent<HTMLTextAreaElement>): void {
  if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.form?.requestSubmit();
}

/** The `ref` of an element that has the focus when its dialog opens: `autoFocus` comes before the dialog is shown. */
export function autofocus(element: HTMLElement | null): void {
  if (element) element.autofocus = true;
}

type Control = HTMLInputElement | HTMLTextAreaElement;

/** A field with its label, hint and problem; of several lines with `rows`. */
export function Field(props: FieldProps) {
  const { label, onChange, hint, problem, rows, isSecret, autoFocus } = props;
  const id = useId();
  const [hintId, problemId] = [`${id}hint`, `${id}problem`];
  const described = [hint !== undefined && hintId, problem !== undefined && problemId].filter(Boolean);
  const marks = {
    id,
    value: props.value,
    onChange: ({ currentTarget }: ChangeEvent<Control>) => onChange(currentTarget.value),
    maxLength: props.maxLength,
    autoComplete: isSecret ? 'off' : props.autoComplete,
    autoFocus,
    ref: autoFocus ? autofocus : undefined,
    dir: isSecret ? 'ltr' : 'auto',
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': described.join(' ') || undefined,
    ...(isSecret && secretMarks),
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <span id={hintId} className="hint">
          {hint}
        </span>
      )}
      {rows === undefined ? (
        <input type={props.type ?? 'text'} {...marks} />
      ) : (
        <textarea rows={rows} onKeyDown={submitByKeys} {...marks} />
      )}
      {problem !== undefined && (
        <div role="alert">
          <span id={problemId} className="field-problem">
            {problem}
          </span>
        </div>
      )}
    </div>
  );
}
