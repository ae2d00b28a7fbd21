@echo off
rem Runs the Eddyline command line from an unpacked archive (bin\eddyline.cmd beside lib\).
rem   JAVA_HOME            the Java to use; else the java on PATH
rem   EDDYLINE_JAVA_OPTS   further java options, for example -Xmx1g where memory is scarce
rem Exit code 127: no suitable Java. All others are the command's.
setlocal EnableExtensions DisableDelayedExpansion
set "lib=%~dp0..\lib"

set "java="
if defined JAVA_HOME if exist "%JAVA_HOME%\bin\java.exe" set "java=%JAVA_HOME%\bin\java.exe"
if not defined java for %%J in (java.exe) do if not "%%~$PATH:J"=="" set "java=%%~$PATH:J"
if not defined java goto :nojava

rem The third word of the first line of "java -version" is the quoted version: 17.0.15, or 1.8.0_452.
set "major="
for /f "tokens=3" %%V in ('""%java%" -version 2^>^&1"') do if not defined major set "major=%%~V"
for /f "tokens=1,2 delims=.-+" %%A in ("%major%") do if "%%A"=="1" (set "major=%%B") else set "major=%%A"
if not defined major goto :nojava
set /a "number=%major%" 2>nul
if %number% LSS 17 goto :nojava

"%java%" "@%lib%\java.options" %EDDYLINE_JAVA_OPTS% -cp "%lib%\*" dev.eddyline.cli.Main %*
exit /b %ERRORLEVEL%

:nojava
>&2 echo eddyline: needs Java 17 or newer: install a JDK 17, for example Temurin 17, and set JAVA_HOME or PATH
exit /b 127
