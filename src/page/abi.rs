//! The four functions that a page calls. Memory is passed by address and length.
//!
//! To call the program, a page writes a request into the memory that `input` returns: a line of JSON, and after its end
//! the bytes of a file if the request has one. `call` returns the length of the answer, and `output` its address.
//! If the program panics, WebAssembly stops the call with an exception. The output is then the message, and the page
//! replaces the instance.
#![allow(unsafe_code, reason = "exported functions have fixed names")]

use crate::session::Session;
use std::cell::RefCell;
use std::panic::set_hook;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// Prepares memory for a request of `len` bytes, and returns its address.
#[unsafe(no_mangle)]
extern "C" fn input(len: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(len, 0);
        input.as_mut_ptr()
    })
}

/// Answers the request, and returns the length of the answer.
#[unsafe(no_mangle)]
extern "C" fn call() -> usize {
    let request = INPUT.take();
    // After a stack overflow or lack of memory, nothing must look like an answer.
    OUTPUT.take();
    let answer = SESSION.with_borrow_mut(|session| {
        session.get_or_insert_with(|| {
            set_hook(Box::new(|panic| OUTPUT.set(panic.to_string().into_bytes())));
            Session::default()
        });
        session.as_mut().map(|session| session.answer(&request)).unwrap_or_default()
    });
    OUTPUT.set(answer.into_bytes());
    output_length()
}

/// Returns the length of the output: of the last answer, or of the message of a panic.
#[unsafe(no_mangle)]
extern "C" fn output_length() -> usize {
    OUTPUT.with_borrow(Vec::len)
}

/// Returns the address of the output.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(Vec::as_ptr)
}
