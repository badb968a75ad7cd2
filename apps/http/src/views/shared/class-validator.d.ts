// The package's door loads 350 files for decorators that no request uses, a fifth of the server's start; these load fifteen.
declare module 'class-validator/cjs/decorator/array/ArrayMaxSize.js' {
  export { ArrayMaxSize } from 'class-validator';
}
declare module 'class-validator/cjs/decorator/common/IsIn.js' {
  export { IsIn } from 'class-validator';
}
declare module 'class-validator/cjs/decorator/common/ValidateBy.js' {
  export { ValidateBy } from 'class-validator';
}
declare module 'class-validator/cjs/decorator/string/Matches.js' {
  export { Matches } from 'class-validator';
}
declare module 'class-validator/cjs/validation/Validator.js' {
  export { Validator } from 'class-validator';
}
