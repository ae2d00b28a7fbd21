@echo off
rem Runs the Eddyline command line from an unpacked archive (bin\eddyline.cmd beside lib\).
rem   JAVA_HOME            the Java to use; else the java on PATH
rem   EDDYLINE_JAVA_OPTS   further java options, for example -Xmx1g where memory is scarce
rem Exit code 127: no suitable Java. All others are the command's.
setlocal EnableExtensions DisableDelayedExpansion
set "lib=%~dp0..\lib"
set "found=no java found"

if defined JAVA_HOME call :try "%JAVA_HOME%\bin\java.exe"
if defined java goto :run
for %%J in (java.exe) do if not "%%~$PATH:J"=="" call :try "%%~$PATH:J"
if defined java goto :run
echo eddyline: needs Java 17 or newer (%found%): install a JDK 17, for example Temurin 17, and set JAVA_HOME or PATH>&2
exit /b 127

:run
set "classpath=%lib%\*"
rem Only the window needs JavaFX; other commands start faster without these jars.
if "%~1"=="view" set "classpath=%lib%\*;%lib%\viewer\*"
"%java%" "@%lib%\java.options" %EDDYLINE_JAVA_OPTS% -cp "%classpath%" dev.eddyline.cli.Main %*
exit /b %ERRORLEVEL%

rem Sets java to %1 if its version is 17 or newer. The "release" file beside it tells faster than java itself.
:try
if not exist "%~1" exit /b 0
set "version="
if not exist "%~dp1..\release" goto :ask
for /f "usebackq tokens=1,2 delims==" %%A in ("%~dp1..\release") do if "%%A"=="JAVA_VERSION" set "version=%%~B"
:ask
if defined version goto :compare
set "answer=%TEMP%\eddyline-%RANDOM%%RANDOM%.txt"
"%~1" -version 2>"%answer%"
for /f "usebackq tokens=3" %%V in ("%answer%") do if not defined version set "version=%%~V"
del "%answer%"
:compare
set "major=0"
if not defined version goto :judge
if "%version:~0,2%"=="1." set "version=%version:~2%"
for /f "tokens=1 delims=.-+_" %%A in ("%version%") do set "major=%%A"
:judge
set "found=Java %major% at %~1"
if %major% GEQ 17 set "java=%~1"
exit /b 0
