export type DemoOptions = { readonly wrong: string; readonly right: string };
