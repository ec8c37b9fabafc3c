// What the scripts of pages have besides each other: data of the page and the program. Elements are of any kind: an id says
// which.
declare const PROGRAM: string;
declare const GALLERY: any;
declare const EXAMPLES: [string, string][];
declare const BODIES: [string, Cell[]][];
interface Window { showSolutions: any }
interface MapConstructor { groupBy?: any }
interface Document { getElementById(id: string): any }
interface ParentNode { querySelector(selectors: string): any; querySelectorAll(selectors: string): NodeListOf<any> }
interface Document { addEventListener(type: string, listener: (event: any) => any, options?: any): void }
interface HTMLElement { addEventListener(type: string, listener: (event: any) => any, options?: any): void }
interface Window { addEventListener(type: string, listener: (event: any) => any, options?: any): void }
// Fields that `Object.assign` adds.
interface Drag { [field: string]: any }
interface FigurePanel { [field: string]: any }
interface FigureTable { [field: string]: any }
interface Programs { [field: string]: any }
interface Puzzle { [field: string]: any }
interface Scene { [field: string]: any }
interface Track { [field: string]: any }
