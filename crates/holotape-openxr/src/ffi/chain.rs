//! Chains of structures (`next`).

use std::ffi::c_void;

use openxr_sys as xr;

/// Calls `visit` with the type and the address of every structure of an output chain.
///
/// # Safety
/// `next` is null or points to a chain of valid OpenXR structures.
pub(super) unsafe fn for_each(mut next: *mut c_void, mut visit: impl FnMut(xr::StructureType, *mut c_void)) {
    while !next.is_null() {
        let header = next.cast::<xr::BaseOutStructure>();
        // SAFETY: every structure of a chain starts with a type and a pointer, and the caller passes a valid chain.
        let (ty, following) = unsafe { ((*header).ty, (*header).next) };
        visit(ty, next);
        next = following.cast();
    }
}

/// Whether a session has a graphics API: the chain of its creation has a structure for it.
///
/// # Safety
/// As [`for_each`].
pub(super) unsafe fn has_graphics_binding(next: *const c_void) -> bool {
    use xr::StructureType as Type;
    let bindings = [
        Type::GRAPHICS_BINDING_OPENGL_WIN32_KHR,
        Type::GRAPHICS_BINDING_OPENGL_XLIB_KHR,
        Type::GRAPHICS_BINDING_OPENGL_XCB_KHR,
        Type::GRAPHICS_BINDING_OPENGL_WAYLAND_KHR,
        Type::GRAPHICS_BINDING_OPENGL_ES_ANDROID_KHR,
        Type::GRAPHICS_BINDING_VULKAN_KHR,
        Type::GRAPHICS_BINDING_D3D11_KHR,
        Type::GRAPHICS_BINDING_D3D12_KHR,
        Type::GRAPHICS_BINDING_METAL_KHR,
        Type::GRAPHICS_BINDING_EGL_MNDX,
    ];
    let mut found = false;
    // SAFETY: the caller passes a valid chain; it is only read.
    unsafe { for_each(next.cast_mut(), |ty, _| found |= bindings.contains(&ty)) };
    found
}
