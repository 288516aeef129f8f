import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField } from 'react-aria-components/TextField';

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

/** A field with its label, hint and problem; of several lines with `rows`. */
export function Field(props: FieldProps) {
  const { label, value, onChange, hint, problem, type, autoComplete, isSecret, autoFocus, maxLength } = props;
  const marks = isSecret ? secretMarks : {};
  return (
    <TextField
      className="field"
      value={value}
      onChange={onChange}
      type={type}
      maxLength={maxLength}
      autoFocus={autoFocus}
      isInvalid={problem !== undefined}
      autoComplete={isSecret ? 'off' : autoComplete}
      validationBehavior="aria"
    >
      <Label>{label}</Label>
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      {props.rows === undefined ? (
        <Input dir={isSecret ? 'ltr' : 'auto'} {...marks} />
      ) : (
        <TextArea rows={props.rows} dir={isSecret ? 'ltr' : 'auto'} {...marks} />
      )}
      <FieldError className="field-problem">{problem}</FieldError>
    </TextField>
  );
}
