// The package's door loads 350 files for decorators that no request uses, a fifth of the server's start; these two load twelve.
declare module 'class-validator/cjs/register-decorator.js' {
  export { registerDecorator } from 'class-validator';
}
declare module 'class-validator/cjs/validation/Validator.js' {
  export { Validator } from 'class-validator';
}
